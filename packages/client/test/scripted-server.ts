// A server that plays scripted answers in order and records the requests.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Scripted {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** An answer, or a failure in its place. The last step of a script repeats. */
export type Step = Scripted | 'reset' | 'hang' | 'truncate'

export interface Request {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface ScriptedServer {
  readonly url: string
  readonly requests: Request[]
  script: Step[]
  /** Resolves when this many requests have arrived. */
  received(count: number): Promise<void>
}

/** Closed after the file's tests. */
export async function scriptedServer(): Promise<ScriptedServer> {
  const arrivals = new EventTarget()
  const server = createServer(async (request, response) => {
    scripted.requests.push(await kept(request))
    arrivals.dispatchEvent(new Event('request'))
    const step = (scripted.script.length > 1 ? scripted.script.shift() : scripted.script[0]) ?? 'hang'
    take(step, request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    script: [],
    async received(count) {
      while (scripted.requests.length < count) await once(arrivals, 'request')
    },
  }
  return scripted
}

async function kept(request: IncomingMessage): Promise<Request> {
  let body = ''
  for await (const chunk of request) body += chunk
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
}

function take(step: Step, request: IncomingMessage, response: ServerResponse): void {
  if (step === 'hang') return
  if (step === 'reset') return void request.socket.resetAndDestroy()
  if (step === 'truncate') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"data":[', () => request.socket.destroy())
    return
  }
  const { status = 200, headers = {}, body = '{"data":{}}' } = step
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(status === 204 ? '' : body)
}

/** Builds a problem as the service writes it. */
export function problem(
  slug: string,
  status: number,
  members: object = {},
  headers: Record<string, string> = {},
): Scripted {
  const body = {
    type: `https://api.clinic.example/problems/${slug}`,
    title: slug,
    status,
    request_id: 'req_1',
    ...members,
  }
  return {
    status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': 'req_1', ...headers },
    body: JSON.stringify(body),
  }
}
