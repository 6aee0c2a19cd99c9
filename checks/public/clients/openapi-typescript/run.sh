# openapi-typescript, whose types openapi-fetch uses.
set -euo pipefail
. "$HERE/../typescript.sh"
eval "$LINE"
compile --exactOptionalPropertyTypes
node js/calls.js
