// Looks at the addresses where the service listens, where clients find it, and where people find the console.
import { type Config, ConfigError } from '@clinic-data/installation/config'
import { connectsNoApp, knownConsoleUrl } from '@clinic-data/installation/console-address'
import { type Listener, refuseTakenPort } from '@clinic-data/installation/listen'
import type { Role } from '@clinic-data/installation/role'
import { authority, isLoopback } from '@clinic-data/installation/settings/addresses'
import { firstLineOf } from '../output.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

export const PATIENCE_MS = 5_000
const CHECKS = { public: 'public_port', admin: 'private_port' } as const

export async function portFinding(listener: Listener, config: Config): Promise<Finding> {
  const check = CHECKS[listener]
  const { host, port } =
    listener === 'public'
      ? { host: config.host, port: config.port }
      : { host: config.adminHost, port: config.adminPort }
  const place = `${authority(host)}:${port}`
  try {
    await refuseTakenPort(listener, config)
    return ok(check, `${place} is free`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const path = listener === 'public' ? '/readyz' : '/healthz'
    const status = await statusOf(`http://${place}${path}`).catch(() => null)
    if (status === 200) return ok(check, `${place} is taken by a service that answers`)
    return status === 503
      ? fault(check, `${place} is taken by a service that is not ready`)
      : fault(check, error.message)
  }
}

/** The proxy must forward the name by which clients call: the MCP server answers to no other. */
export async function baseUrlFinding({ baseUrl }: Config): Promise<Finding> {
  const { hostname } = new URL(baseUrl)
  if (isLoopback(hostname.replace(/^\[|\]$/g, '')))
    return warning('base_url', `${baseUrl} is for this machine alone: set BASE_URL to the address that clients use`)
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const status = await statusOf(`${baseUrl}/mcp`, { method: 'POST', headers, body })
    if (status === 401) return ok('base_url', `${baseUrl} leads to the service, under its name`)
    if (status === 403) return fault('base_url', `the proxy at ${baseUrl} changes the header Host: let it pass on`)
    return warning(
      'base_url',
      `${baseUrl} answers ${status}: the service is not running, or something else stands there`,
    )
  } catch (error) {
    return warning('base_url', `${baseUrl} cannot be reached from here: ${reasonOf(error)}`)
  }
}

/**
 * None where the service's own port says the console's address, and of a gateway's where it is known.
 *
 * @param backendsConnect whether a gateway's backends connect apps
 */
export async function consoleUrlFindings(config: Config, role: Role, backendsConnect: boolean): Promise<Finding[]> {
  if (backendsConnect && config.consoleUrl === null)
    return [
      fault(
        'console_url',
        'the backends connect apps, and this gateway answers their sign-in with 404: set CONSOLE_URL',
      ),
    ]
  if (knownConsoleUrl(config, role) === null) return [warning('console_url', connectsNoApp(role))]
  const { consoleUrl } = config
  if (consoleUrl === null || role === 'gateway') return []
  try {
    const status = await statusOf(`${consoleUrl}/console/`)
    if (status === 200) return [ok('console_url', `${consoleUrl} leads to the console`)]
    if (status === 421)
      return [fault('console_url', `the proxy at ${consoleUrl} changes the header Host: let it pass on`)]
    const why = 'the service is not running, or the proxy does not lead /console to ADMIN_PORT'
    return [warning('console_url', `${consoleUrl}/console/ answers ${status}: ${why}`)]
  } catch (error) {
    return [warning('console_url', `${consoleUrl} cannot be reached from here: ${reasonOf(error)}`)]
  }
}

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  return (await answerOf(url, init)).status
}

/** Without its body. */
export async function answerOf(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const answer = await fetch(url, { ...init, redirect: 'manual', signal })
  await answer.body?.cancel()
  return answer
}

/** `fetch` tells its reason as a cause. */
export function reasonOf(error: unknown): string {
  return firstLineOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
}
