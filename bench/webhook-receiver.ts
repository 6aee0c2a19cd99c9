// The receivers of `webhooks.ts`, in a separate process on loopback. The first part of an endpoint's path says how it behaves.
//
//   /healthy/…  204 at once        /slow-250/…    204 after 250 ms     /failing/…      500
//   /hung/…     no answer          /trickling/…   a byte a second      /huge/…         200 with 16 MiB
//   /refusing/… a reset            /redirecting/… 302 to /healthy/…
//
// It listens on the requested number of ports, each of which is an origin. It reports the arrivals at healthy endpoints, by the
// wall clock that made the events.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `begin`: from now on counts only events made at `since` (ms since the epoch) or later. */
export type ReceiverRequest = { ask: 'begin'; since: number } | { ask: 'count' } | { ask: 'report' }

export interface Report {
  /** From an event's `created_at` to its first arrival at an endpoint, ms, ascending. */
  latenciesMs: number[]
  /** Arrivals after the first one. */
  duplicates: number
  /** The time of the last arrival that is no duplicate, ms since the epoch. */
  lastAt: number
  /** Requests by the endpoint's behaviour. */
  requests: Record<string, number>
}

const TRICKLE_MS = 1_000
const TRICKLED = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')
const HUGE = Buffer.alloc(16 * 1024 * 1024, 'a')
const CREATED_AT = /"created_at":"([^"]+)"/

let since = 0
let report = newReport()
let seen = new Set<string>()

const servers = Array.from({ length: Number(process.argv[2]) }, () => {
  const server = createServer(receive)
  // Connections are kept longer than any run, because the receiver's closing of them is not measured.
  server.keepAliveTimeout = 120_000
  server.requestTimeout = 0
  return server.listen(0, '127.0.0.1')
})
await Promise.all(servers.map((server) => once(server, 'listening')))
process.send?.({ ports: servers.map((server) => (server.address() as AddressInfo).port) })

process.on('message', (request: ReceiverRequest) => {
  if (request.ask === 'begin') {
    since = request.since
    report = newReport()
    seen = new Set()
    process.send?.({})
  } else if (request.ask === 'count') process.send?.({ count: report.latenciesMs.length })
  else process.send?.({ ...report, latenciesMs: report.latenciesMs.toSorted((a, b) => a - b) })
})
process.on('disconnect', () => process.exit())

function receive(request: IncomingMessage, response: ServerResponse): void {
  const arrivedAt = Date.now()
  const [, behaviour = ''] = (request.url ?? '').split('/')
  const [kind = '', delayMs] = behaviour.split('-')
  report.requests[kind] = (report.requests[kind] ?? 0) + 1
  let body = ''
  request.setEncoding('latin1')
  request.on('data', (text: string) => {
    body += text
  })
  request.on('end', () => {
    if (kind === 'healthy') arrived(request, body, arrivedAt)
    answer(kind, Number(delayMs ?? 0), request, response)
  })
  request.on('error', () => undefined)
}

function newReport(): Report {
  return { latenciesMs: [], duplicates: 0, lastAt: 0, requests: {} }
}

function arrived({ headers, url }: IncomingMessage, body: string, arrivedAt: number): void {
  const createdAt = Date.parse(CREATED_AT.exec(body)?.[1] ?? '')
  if (createdAt < since) return
  const name = `${headers['x-service-event-id']} ${url}`
  if (seen.has(name)) {
    report.duplicates += 1
    return
  }
  seen.add(name)
  report.latenciesMs.push(arrivedAt - createdAt)
  report.lastAt = arrivedAt
}

function answer(kind: string, delayMs: number, { socket }: IncomingMessage, response: ServerResponse): void {
  switch (kind) {
    case 'healthy':
      response.writeHead(204).end()
      return
    case 'slow':
      setTimeout(() => response.writeHead(204).end(), delayMs)
      return
    case 'failing':
      response.writeHead(500).end()
      return
    case 'redirecting':
      response.writeHead(302, { location: '/healthy/elsewhere' }).end()
      return
    case 'refusing':
      socket.resetAndDestroy()
      return
    case 'huge':
      response.writeHead(200, { 'content-length': HUGE.length }).end(HUGE)
      return
    case 'trickling': {
      let sent = 0
      const timer = setInterval(() => socket.write(TRICKLED.subarray(sent, ++sent)), TRICKLE_MS)
      socket.once('close', () => clearInterval(timer))
      return
    }
    default:
    // Hung: never answers.
  }
}
