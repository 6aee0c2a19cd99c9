// The service behind a bad network: the first part of a request's path names the fault that it meets. In front of a running one.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request that came, as the program under test reads it from `/requests`. */
interface Seen {
  readonly fault: string
  readonly method: string
  readonly path: string
  readonly idempotency_key: string | null
  readonly has_key: boolean
}

interface Arrival {
  readonly body: Buffer
  readonly path: string
  readonly isFirst: boolean
}

type Fault = (request: IncomingMessage, response: ServerResponse, arrival: Arrival, url: string) => Promise<void> | void

/** @param url the running service. `use` gets the address behind the bad network. */
export async function withFaultyService(url: string, use: (url: string) => Promise<void>): Promise<void> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    answer(url, seen, request, response).catch((error: Error) => response.destroy(error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function answer(url: string, seen: Seen[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  const [, fault = '', ...rest] = (request.url ?? '').split('/')
  if (fault === 'requests') return void response.end(JSON.stringify(seen))
  const { method = 'GET', headers } = request
  const path = `/${rest.join('/')}`
  const isFirst = !seen.some((one) => one.fault === fault && one.method === method && one.path === path)
  const idempotency_key = headers['idempotency-key']?.toString() ?? null
  seen.push({ fault, method, path, idempotency_key, has_key: headers.authorization !== undefined })
  await FAULTS[fault]?.(request, response, { body, path, isFirst }, url)
}

/** Those that pass repeat nothing: the second request for the same thing is served. */
const FAULTS: Readonly<Record<string, Fault>> = {
  none: forward,
  /** The service has done it, and nobody hears of it. */
  lost: async (request, response, arrival, url) => {
    if (!arrival.isFirst) return forward(request, response, arrival, url)
    await ask(request, arrival, url)
    request.socket.resetAndDestroy()
  },
  cut: async (request, response, arrival, url) => {
    if (!arrival.isFirst) return forward(request, response, arrival, url)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"data":[', () => request.socket.destroy())
  },
  busy: async (request, response, arrival, url) => {
    if (!arrival.isFirst) return forward(request, response, arrival, url)
    const problem = { type: `${url}/problems/rate-limited`, code: 'rate-limited', title: 'Too many', status: 429 }
    response.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '7' })
    response.end(JSON.stringify(problem))
  },
  moved: (_request, response) => void response.writeHead(307, { location: '/none/v1/me' }).end(),
  strange: (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  silent: () => undefined,
}

const NOT_FORWARDED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'content-encoding',
])

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival,
  url: string,
): Promise<void> {
  const served = await ask(request, arrival, url)
  const kept = [...served.headers].filter(([name]) => !NOT_FORWARDED.has(name))
  response.writeHead(served.status, kept.flat()).end(await served.text())
}

function ask({ method = 'GET', headers }: IncomingMessage, { body, path }: Arrival, url: string): Promise<Response> {
  const sent = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name))
  return fetch(url + path, {
    method,
    headers: sent.map(([name, value]) => [name, String(value)] as [string, string]),
    ...(body.length > 0 && { body }),
  })
}
