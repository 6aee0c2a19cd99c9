# openapi-generator, Go.
set -euo pipefail
. "$HERE/../openapi-generator.sh"
. "$HERE/../go.sh"
eval "$LINE"
go mod init clients
module=$(sed -n 's/^module //p' client/go.mod)
go mod edit -require "$module@v0.0.0" -replace "$module=./client"
go mod tidy
go run .
