# oapi-codegen, Go.
set -euo pipefail
export GOPATH=$CACHE/go GOFLAGS=-modcacherw
[ -x "$GOPATH/bin/oapi-codegen" ] || go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v$VERSION"
mkdir -p "$OUT/api"
cd "$OUT"
"$GOPATH/bin/oapi-codegen" -generate types,client,skip-prune -package api "$DOCUMENT" > api/api.go
cp "$HERE/calls.go" main.go
[ -f go.mod ] || go mod init -- clients
go get github.com/oapi-codegen/runtime@v1.8.0
go mod tidy
go run .
