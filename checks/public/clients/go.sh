# What the generators for Go share: a folder for modules, and the calls.
export GOPATH=$CACHE/go GOFLAGS=-modcacherw
cp "$HERE/calls.go" main.go
