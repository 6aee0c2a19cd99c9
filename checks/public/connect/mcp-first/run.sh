# The official MCP client of the library's first generation, for TypeScript.
set -euo pipefail
node "$HERE/agent.ts"
