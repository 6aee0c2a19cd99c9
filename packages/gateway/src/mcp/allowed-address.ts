// Checks an MCP request's origin and host. A web page in a browser must not speak to the server in its user's name: neither from
// its own origin nor, by DNS rebinding, under its own host's name.
import { Problem } from '@clinic-data/contract'
import type { FastifyRequest } from 'fastify'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * @param allowedOrigins as a browser sends them, in addition to the service's own: `https://agent.example.com`.
 * @throws (the check) Problem 403.
 */
export function addressCheck(baseUrl: string, allowedOrigins: readonly string[]): (request: FastifyRequest) => void {
  const { origin: own, hostname } = new URL(baseUrl)
  const origins = new Set([own, ...allowedOrigins])
  const hosts = new Set(LOOPBACK.includes(hostname) ? LOOPBACK : [hostname])
  return ({ headers }) => {
    const { origin, host = '' } = headers
    if (origin !== undefined && !origins.has(origin)) {
      throw new Problem(
        'forbidden',
        'Web pages of this origin may not use the MCP server: keys do not belong in a browser.',
      )
    }
    // Without the port. An address of IP version 6 has colons too, within brackets.
    if (!hosts.has(host.toLowerCase().replace(/:\d*$/, ''))) {
      throw new Problem('forbidden', `Call the MCP server as ${hostname}: the header Host names another host.`)
    }
  }
}
