// The official MCP client comes from the bare address of the MCP server to patients' data, as claude.ai and editors do.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { Tab } from '@clinic-data/testing/run/chromium'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { button } from '../console/user-actions.ts'
import type { AppDocuments } from './app-documents.ts'
import { openCallback } from './callback.ts'
import { buildConsole, type ConnectSite } from './connect-site.ts'

const skip = process.env.TEST_CHROMIUM === undefined ? 'no Chromium on this machine' : false

type Stored<T> = Awaited<T> | undefined

/** What a program keeps. At first it knows nothing of the service. */
function provider(redirectUrl: string, clientMetadataUrl?: string) {
  let information: Stored<ReturnType<OAuthClientProvider['clientInformation']>>
  let tokens: Stored<ReturnType<OAuthClientProvider['tokens']>>
  let discovered: Stored<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
  let verifier = ''
  const state = randomBytes(16).toString('base64url')
  const asked: URL[] = []
  const kept: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Agent', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    state: () => state,
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
    saveDiscoveryState: (saved) => {
      discovered = saved
    },
    discoveryState: () => discovered,
    invalidateCredentials: (which) => {
      if (which === 'all' || which === 'tokens') tokens = undefined
    },
  }
  return { kept, state, asked, id: () => information?.client_id ?? '', tokens: () => tokens }
}

type Agent = ReturnType<typeof provider>

export function testMcpClient(started: () => ConnectSite, published: () => AppDocuments): void {
  let site: ConnectSite
  let documents: AppDocuments
  let mcp: URL
  before(async () => {
    if (!skip) await buildConsole()
    site = started()
    documents = published()
    mcp = new URL(`${site.baseUrl}/mcp`)
  })

  /** @returns where the person is sent. */
  async function sentToPerson({
    kept,
    asked,
  }: Agent): Promise<{ address: URL; transport: StreamableHTTPClientTransport }> {
    const transport = new StreamableHTTPClientTransport(mcp, { authProvider: kept })
    await assert.rejects(new Client({ name: 'agent', version: '1' }).connect(transport), UnauthorizedError)
    return { address: asked.at(-1) ?? assert.fail('nobody is asked'), transport }
  }

  async function connected({ kept }: Agent): Promise<Client> {
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(mcp, { authProvider: kept }))
    return client
  }

  async function patients(client: Client): Promise<unknown[]> {
    const { structuredContent, isError } = await client.callTool({ name: 'patients_list', arguments: { limit: 5 } })
    assert.ok(!isError, JSON.stringify(structuredContent))
    return (structuredContent as { data: unknown[] }).data
  }

  test('an agent comes from the bare address through the browser to patients, and an ended connection is refused at once', {
    skip,
  }, async () => {
    await using callback = await openCallback()
    const agent = provider(callback.url)
    const { address, transport } = await sentToPerson(agent)
    assert.equal(address.origin + address.pathname, `${site.consoleUrl}/console/authorize`)
    assert.equal(address.searchParams.get('resource'), mcp.href)
    const person = await site.signIn()
    const tab = await Tab.open()
    try {
      await site.signedIn(tab, person)
      await tab.visit(address.href)
      await tab.until(`${button('Allow')} && !${button('Allow')}.disabled`)
      assert.match(await tab.run<string>('document.body.innerText'), /Agent/)
      await tab.load(() => tab.run(`${button('Allow')}.click()`))
    } finally {
      await tab.close()
    }
    const back = (await callback.next()).searchParams
    assert.equal(back.get('state'), agent.state)
    await transport.finishAuth(back)
    const client = await connected(agent)
    try {
      assert.equal((await patients(client)).length, 5)
      const { id, audience } = await person.onlyConnection(agent.id())
      assert.equal(audience, 'mcp')
      const token = agent.tokens()?.access_token ?? ''
      assert.equal(await site.statusWith(token), 401, 'a token for the MCP server opens nothing else')
      await person.end(id)
      // The client tries to refresh, cannot, and would ask the person again.
      const askedBefore = agent.asked.length
      await assert.rejects(patients(client))
      assert.equal(agent.asked.length, askedBefore + 1)
      const refused = await fetch(mcp, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      assert.equal(refused.status, 401)
    } finally {
      await client.close()
    }
  })

  test('an agent that is known by its document reads as far as it was let, and asks the person for what more a call needs', async () => {
    await using callback = await openCallback()
    const agent = provider(callback.url, documents.publish({ client_name: 'Agent', redirect_uris: [callback.url] }))
    const { address, transport } = await sentToPerson(agent)
    const person = await site.signIn()
    await transport.finishAuth((await person.allow(address, { scopes: ['patients:read'] })).searchParams)
    const client = await connected(agent)
    try {
      assert.equal((await patients(client)).length, 5)
      const { app, scopes } = await person.onlyConnection(agent.id())
      assert.deepEqual([app.id, scopes], [agent.kept.clientMetadataUrl, ['patients:read']])
      await assert.rejects(client.callTool({ name: 'appointments_list', arguments: {} }), UnauthorizedError)
      const further = agent.asked.at(-1) ?? assert.fail('nobody is asked')
      assert.deepEqual(further.searchParams.get('scope')?.split(' ').sort(), ['appointments:read', 'patients:read'])
      await transport.finishAuth((await person.allow(further)).searchParams)
      const listed = await client.callTool({ name: 'appointments_list', arguments: {} })
      assert.ok(!listed.isError, JSON.stringify(listed.content))
    } finally {
      await client.close()
    }
  })
}
