# openapi-generator, TypeScript with fetch.
set -euo pipefail
. "$HERE/../openapi-generator.sh"
. "$HERE/../typescript.sh"
eval "$LINE"
compile
node js/calls.js
