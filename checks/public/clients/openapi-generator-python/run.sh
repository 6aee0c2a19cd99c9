# openapi-generator, Python.
set -euo pipefail
. "$HERE/../openapi-generator.sh"
. "$HERE/../python.sh"
eval "$LINE"
venv "python-$VERSION"
install --requirement client/requirements.txt
calls
