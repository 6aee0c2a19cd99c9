# Authlib for Python.
set -euo pipefail
. "$HERE/../../clients/python.sh"
venv authlib
install Authlib==1.9.10 requests==2.34.2
# The service has no certificate here.
AUTHLIB_INSECURE_TRANSPORT=1 PYTHONDONTWRITEBYTECODE=1 python "$HERE/app.py"
