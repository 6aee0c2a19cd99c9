# openapi-typescript, whose types openapi-fetch uses.
set -euo pipefail
openapi-typescript "$DOCUMENT" --output "$OUT/openapi.ts" 2>/dev/null
exec bash "$HERE/../typescript.sh" --exactOptionalPropertyTypes
