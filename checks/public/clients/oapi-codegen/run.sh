# oapi-codegen, Go.
set -euo pipefail
export GOBIN=$CACHE/oapi-codegen-$VERSION PATH=$CACHE/oapi-codegen-$VERSION:$PATH
. "$HERE/../go.sh"
[ -x "$GOBIN/oapi-codegen" ] || go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v$VERSION"
eval "$LINE"
mkdir api && mv api.go api
go mod init clients
go get github.com/oapi-codegen/runtime@v1.8.0
go mod tidy
go run .
