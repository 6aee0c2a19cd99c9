# hey-api, TypeScript.
set -euo pipefail
. "$HERE/../typescript.sh"
eval "$LINE"
compile
node js/calls.js
