# What the generators for Python share.

# A Python environment whose programs come first.
venv() {
  [ -x "$CACHE/$1/bin/python" ] || python3 -m venv "$CACHE/$1"
  PATH=$CACHE/$1/bin:$PATH
}
install() { python -m pip install --quiet --disable-pip-version-check "$@"; }
calls() {
  python -m compileall -q client
  PYTHONPATH=client python "$HERE/calls.py"
}
