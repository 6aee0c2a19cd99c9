# openapi-generator, Java.
set -euo pipefail
. "$HERE/../openapi-generator.sh"
eval "$LINE"
export MAVEN_OPTS=-XX:TieredStopAtLevel=1
mvn -B -q -C -f client -Dmaven.repo.local="$CACHE/maven" compile dependency:build-classpath -Dmdep.outputFile="$PWD/classpath"
java -cp "client/target/classes:$(cat classpath)" "$HERE/Calls.java"
# The page's own program, which goes over several pages here. It prints the patients first, then the rows of its query.
sed 's/limit(100)/limit(2)/' first-calls >FirstCalls.java
java -cp "client/target/classes:$(cat classpath)" FirstCalls.java >first-calls.printed
[ "$(grep -v ' ' first-calls.printed | sort -u | wc -l)" -gt 4 ]
grep -qE '^[^ ]+ [0-9]{4}-[0-9]{2}-01 [0-9.]+$' first-calls.printed
