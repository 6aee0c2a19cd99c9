// The proxy that the environment names, as curl and Go programs read it, and connections through it (CONNECT). This machine is never
// reached through a proxy: plain http is for this machine only.
import type { Agent, RequestOptions } from 'node:https'
import type { Socket } from 'node:net'
import { type ProxyVariables, readProxyVariables } from '../config.ts'
import { UsageError } from '../usage-error.ts'
import { isLoopback } from './base-address.ts'

/**
 * The proxy for an address, or null for a direct connection.
 *
 * @throws UsageError when the variable holds no http or https address
 * @example proxyFor(new URL('https://api.clinic-data.example'), readProxyVariables())
 */
export function proxyFor({ protocol, hostname, port }: URL, variables: ProxyVariables): URL | null {
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = variables[name]
  if (proxy === '' || isLoopback(hostname)) return null
  const excepted = variables.no_proxy.split(/[\s,]+/).filter(Boolean)
  if (excepted.some((rule) => isExcepted(rule.toLowerCase(), hostname, port || '443'))) return null
  const written = /^[a-z0-9+.-]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`
  const url = URL.canParse(written) ? new URL(written) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${name.toUpperCase()} must be an address that begins with http:// or https://`)
  return url
}

/** `example.com` and `.example.com` except its subdomains too, `*` everything, `example.com:8443` one port. */
function isExcepted(rule: string, hostname: string, port: string): boolean {
  if (rule === '*') return true
  const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? []
  const bare = name.replace(/^\*?\./, '')
  return (only === undefined || only === port) && (hostname === bare || hostname.endsWith(`.${bare}`))
}

const agents = new Map<string, Agent>()

/** The agent whose connections go through the proxy. Null for a direct connection. @throws UsageError */
export async function agentFor(url: URL, variables: ProxyVariables = readProxyVariables()): Promise<Agent | null> {
  const proxy = proxyFor(url, variables)
  if (proxy === null) return null
  const { Agent } = await import('node:https')
  const { Socket } = await import('node:net')
  const { connect } = await import('node:tls')
  const agent = agents.get(proxy.href) ?? new Agent({ keepAlive: true })
  agents.set(proxy.href, agent)
  agent.createConnection = (options, created) => {
    const { host = '', port = 443 } = options as RequestOptions
    tunnel(proxy, `${host}:${port}`).then(
      (socket) => created?.(null, connect({ ...(options as object), socket })),
      (error: Error) => created?.(error, new Socket()),
    )
    return undefined
  }
  return agent
}

/** Opens a connection to `target` through the proxy. */
async function tunnel(proxy: URL, target: string): Promise<Socket> {
  const { request } = proxy.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const authorization = user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
  return new Promise((resolve, reject) => {
    const clientRequest = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
    })
    clientRequest.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket as Socket)
      socket.destroy()
      reject(Object.assign(new Error(`the proxy answered ${statusCode}`), { code: `PROXY_${statusCode}` }))
    })
    clientRequest.once('error', reject)
    clientRequest.end()
  })
}
