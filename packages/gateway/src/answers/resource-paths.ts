// Where a client finds out who gives tokens for the REST API and for the MCP server (RFC 9728).
export const REST_RESOURCE = '/.well-known/oauth-protected-resource'
export const MCP_RESOURCE = `${REST_RESOURCE}/mcp`
