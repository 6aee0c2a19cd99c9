# The program of openapi-generator, from Maven Central: for the run.sh of each of its languages.
jar=$CACHE/openapi-generator-cli-$VERSION.jar
if [ ! -f "$jar" ]; then
  curl -fsS -o "$jar.$$" "https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/$VERSION/${jar##*/}"
  echo "41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae  $jar.$$" | sha256sum --check --quiet
  mv "$jar.$$" "$jar"
fi
openapi-generator-cli() { java -XX:TieredStopAtLevel=1 -jar "$jar" "$@" >generator.log; }
