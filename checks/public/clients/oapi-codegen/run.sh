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
# The page's own program, which goes over several pages here.
mkdir first && mv first-calls first/main.go
[ -z "$(gofmt -l first)" ]
go vet ./first
sed -i 's/int32(100)/int32(2)/' first/main.go
[ "$(go run ./first | sort -u | wc -l)" -gt 4 ]
