# The OAuth library of Nimbus for Java.
set -euo pipefail
export MAVEN_OPTS=-XX:TieredStopAtLevel=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$HERE/pom.xml" "$folder"
mvn -B -q -C -f "$folder" -Dmaven.repo.local="$CACHE/maven" dependency:build-classpath -Dmdep.outputFile="$folder/classpath" >&2
java -cp "$(cat "$folder/classpath")" "$HERE/App.java"
