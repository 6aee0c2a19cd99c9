# openapi-generator, Python.
set -euo pipefail
. "$HERE/../openapi-generator.sh"
eval "$LINE"
venv=$CACHE/python-$VERSION
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement client/requirements.txt
PYTHONPATH=client "$venv/bin/python" "$HERE/calls.py"
