# openapi-generator, python.
set -euo pipefail
venv=$CACHE/python-$VERSION
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$OUT/requirements.txt"
PYTHONPATH=$OUT PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$HERE/calls.py"
