# The oauth2 package of the Go project.
set -euo pipefail
export GOPATH=$CACHE/go GOFLAGS=-modcacherw
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$HERE/app.go" main.go
{ go mod init app && go get golang.org/x/oauth2@v0.36.0 && go mod tidy && go build -o app .; } >&2
./app
