// An agent that knows the bare address of the MCP server and nothing else, with the client that most programs still use.
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { BASE_URL = '', REDIRECT = '' } = process.env
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

type Kept<Name extends 'clientInformation' | 'tokens'> = Awaited<ReturnType<OAuthClientProvider[Name]>>

let information: Kept<'clientInformation'>
let tokens: Kept<'tokens'>
let verifier = ''
const asked: URL[] = []
const provider: OAuthClientProvider = {
  redirectUrl: REDIRECT,
  clientMetadata: { client_name: 'Agent', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
  clientInformation: () => information,
  saveClientInformation: (saved) => {
    information = saved
  },
  tokens: () => tokens,
  saveTokens: (saved) => {
    tokens = saved
  },
  redirectToAuthorization: (address) => void asked.push(address),
  saveCodeVerifier: (saved) => {
    verifier = saved
  },
  codeVerifier: () => verifier,
  invalidateCredentials: () => {
    tokens = undefined
  },
}

const transport = () => new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), { authProvider: provider })

async function read(): Promise<void> {
  const client = new Client({ name: 'agent', version: '1' })
  // The library's own types do not agree where optional properties are exact.
  await client.connect(transport() as Parameters<Client['connect']>[0])
  const { structuredContent } = await client.callTool({ name: 'patients_list', arguments: { limit: 3 } })
  assert.equal((structuredContent as { data: unknown[] }).data.length, 3)
  await client.close()
}

await assert.rejects(read(), UnauthorizedError)
console.log('OPEN', asked[0]?.href)
const back = new URL((await lines.next()).value ?? '')
await transport().finishAuth(back.searchParams.get('code') ?? '')
await read()
// As an hour later: it renews when it is refused.
const before = tokens?.access_token
assert.ok(tokens)
tokens = { ...tokens, access_token: `${before}x` }
await read()
assert.notEqual(tokens.access_token, before)
console.log('READ')
await lines.next()
await assert.rejects(read(), UnauthorizedError)
if (asked.length === 2) console.log('REFUSED')
process.exit()
