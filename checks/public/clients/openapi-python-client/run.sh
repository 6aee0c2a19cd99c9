# openapi-python-client.
set -euo pipefail
. "$HERE/../python.sh"
venv "openapi-python-client-$VERSION"
# The generator needs what its clients need: httpx and attrs.
install "openapi-python-client==$VERSION"
eval "$LINE"
calls
