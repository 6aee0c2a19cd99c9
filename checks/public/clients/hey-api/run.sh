# hey-api, TypeScript.
set -euo pipefail
openapi-ts --input "$DOCUMENT" --output "$OUT/client" --no-log-file --silent
exec bash "$HERE/../typescript.sh"
