// Receives the answer of the browser on a port of this computer, once (RFC 8252, section 7.3).
import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const HOST = '127.0.0.1'
const PATH = '/callback'

export interface Received {
  readonly parameters: URLSearchParams
  /** Shows the browser how it went. */
  answer(title: string, words: string): Promise<void>
}

export interface Loopback {
  readonly redirectUri: string
  /** The first request with the state. Others, of whatever else runs here, are refused. @throws the signal's reason */
  received(signal: AbortSignal): Promise<Received>
  close(): void
}

export async function openLoopback(state: string): Promise<Loopback> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, HOST, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    redirectUri: `http://${HOST}:${port}${PATH}`,
    received: (signal) => firstWith(server, state, signal),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function firstWith(server: Server, state: string, signal: AbortSignal): Promise<Received> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    let isReceived = false
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`)
      if (request.method !== 'GET' || pathname !== PATH) return void page(response, 404, 'Not found', '')
      if (isReceived || !isSame(searchParams.getAll('state'), state)) {
        const words = 'This page belongs to no sign-in that is under way. Run sc login again.'
        return void page(response, 400, 'Not signed in', words)
      }
      isReceived = true
      resolve({ parameters: searchParams, answer: (title, words) => page(response, 200, title, words) })
    })
    if (signal.aborted) reject(signal.reason)
  })
}

function isSame(states: readonly string[], state: string): boolean {
  const [sent = ''] = states
  const [a, b] = [Buffer.from(sent), Buffer.from(state)]
  return states.length === 1 && a.length === b.length && timingSafeEqual(a, b)
}

/** Loads nothing, and keeps its address, which holds a code, to itself. */
function page(response: ServerResponse, status: number, title: string, words: string): Promise<void> {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}</style>
<h1>${title}</h1><p>${words}</p></html>`
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  })
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.end(body)
  })
}
