// An app that wants into the clinic of the console: its site, to which the browser comes back, and what it sends for its tokens.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from '@clinic-data/database'
import { authorizationRequest, newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import type { ConsoleSite } from './site.ts'

interface AppAbout {
  readonly name?: string
  readonly kind?: 'registered' | 'self_registered'
  /** By default a page of the app's own site. */
  readonly redirect?: string
}

type More = Readonly<Record<string, string>>

export type TestApp = Awaited<ReturnType<typeof startApp>>

/** For the browser its site is another one than the console's. */
export async function startApp(site: ConsoleSite, { name = 'Desk', kind = 'registered', redirect }: AppAbout = {}) {
  const { owner, address, baseUrl, tab } = site
  const sentBack: URLSearchParams[] = []
  let link = ''
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname === '/back') sentBack.push(searchParams)
    response.setHeader('content-type', 'text/html')
    response.end(
      pathname === '/back' ? '<h1>In the app</h1>' : `<a href="${link.replaceAll('&', '&amp;')}">Connect</a>`,
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const home = `http://localhost:${(server.address() as AddressInfo).port}`
  const redirect_uri = redirect ?? `${home}/back`
  const id = `app_${randomBytes(8).toString('hex')}`
  await owner.query(sql`insert into app (id, kind, name, redirect_uris, authentication, created_at)
    values (${id}, ${kind}, ${name}, ${[redirect_uri]}, 'none', now())`)
  const code_verifier = newVerifier()

  const post = async (endpoint: string, form: More) => {
    const answer = await fetch(`${baseUrl}/oauth/${endpoint}`, { method: 'POST', body: new URLSearchParams(form) })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  const requestOf = (more: More = {}) =>
    authorizationRequest(code_verifier, { client_id: id, redirect_uri, state: 'of the app', ...more })
  const exchange = (code: string) =>
    post('token', { grant_type: 'authorization_code', client_id: id, code, code_verifier, redirect_uri })
  return {
    id,
    name,
    sentBack,
    exchange,
    /** The page of the console to which the app leads. */
    addressOf: (more?: More) => `${address}/console/authorize?${requestOf(more)}`,
    /** Follows the link on the app's site. */
    async lead(more?: More) {
      link = `${address}/console/authorize?${requestOf(more)}`
      await tab.visit(home)
      await tab.load(() => tab.run(`document.querySelector('a').click()`))
    },
    startDevice: async (scope: string) => (await post('device', { client_id: id, scope })).body,
    pollDevice: (device_code: string) =>
      post('token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: id, device_code }),
    /** The signed-in person allows it, as the page asks. @returns its tokens. */
    async connect(scopes: readonly string[], days: number | null = null) {
      const body = JSON.stringify({ request: requestOf({ scope: scopes.join(' ') }), scopes, days })
      const sent = { method: 'POST', body, headers: { 'content-type': 'application/json', 'x-console': '1' } }
      const redirect_to = await tab.run<string>(`fetch('/console/api/connect/allow', { ...${JSON.stringify(sent)},
        headers: { ...${JSON.stringify(sent.headers)}, 'idempotency-key': '${randomBytes(8).toString('hex')}' } })
        .then((answer) => answer.json()).then(({ data }) => data.redirect_to)`)
      return (await exchange(new URL(redirect_to).searchParams.get('code') ?? '')).body
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What the service tells the holder of a token. */
export async function scopesWith(site: Pick<ConsoleSite, 'baseUrl'>, token: string): Promise<string[] | number> {
  const answer = await fetch(`${site.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok ? ((await answer.json()) as { data: { scopes: string[] } }).data.scopes : answer.status
}
