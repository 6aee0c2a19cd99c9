# openapi-generator, Java.
set -euo pipefail
. "$HERE/../openapi-generator.sh"
eval "$LINE"
export MAVEN_OPTS=-XX:TieredStopAtLevel=1
mvn -B -q -C -f client -Dmaven.repo.local="$CACHE/maven" compile dependency:build-classpath -Dmdep.outputFile="$PWD/classpath"
java -cp "client/target/classes:$(cat classpath)" "$HERE/Calls.java"
