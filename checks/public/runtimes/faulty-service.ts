// The service behind a bad network: the first part of a request's path names the fault that it meets. In front of a running one.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ask, handOn, withServiceInFront } from '../service-in-front.ts'

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
export function withFaultyService(url: string, use: (url: string) => Promise<void>): Promise<void> {
  const seen: Seen[] = []
  return withServiceInFront(async (request, response, body) => {
    const [, fault = '', ...rest] = (request.url ?? '').split('/')
    if (fault === 'requests') return void response.end(JSON.stringify(seen))
    const { method = 'GET', headers } = request
    const path = `/${rest.join('/')}`
    const isFirst = !seen.some((one) => one.fault === fault && one.method === method && one.path === path)
    const idempotency_key = headers['idempotency-key']?.toString() ?? null
    seen.push({ fault, method, path, idempotency_key, has_key: headers.authorization !== undefined })
    await FAULTS[fault]?.(request, response, { body, path, isFirst }, url)
  }, use)
}

/** Those that pass repeat nothing: the second request for the same thing is served. */
const FAULTS: Readonly<Record<string, Fault>> = {
  none: forward,
  /** The service has done it, and nobody hears of it. */
  lost: async (request, response, arrival, url) => {
    if (!arrival.isFirst) return forward(request, response, arrival, url)
    await ask(url + arrival.path, request, arrival.body)
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

async function forward(request: IncomingMessage, response: ServerResponse, arrival: Arrival, url: string) {
  await handOn(await ask(url + arrival.path, request, arrival.body), response)
}
