# The official MCP client for Python.
set -euo pipefail
. "$HERE/../../clients/python.sh"
venv mcp-python
install mcp==2.3.0
PYTHONDONTWRITEBYTECODE=1 python "$HERE/agent.py"
