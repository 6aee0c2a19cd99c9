// A backend as a vendor would write it from the port's documentation alone: bare HTTP, with the test's answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: unknown
}

export type Answer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | ((response: ServerResponse) => void)

export interface VendorBackend {
  readonly port: number
  readonly received: Received[]
  /** Makes the answer to a request. It may take time. */
  answer: (request: Received) => Answer | Promise<Answer>
  close(): Promise<void>
}

export async function vendorBackend(): Promise<VendorBackend> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    vendor.received.push(received)
    const answer = await vendor.answer(received)
    if (typeof answer === 'function') return answer(response)
    const { status, body, headers } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const vendor: VendorBackend = {
    port: (server.address() as AddressInfo).port,
    received: [],
    answer: () => ({ status: 200, body: {} }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return vendor
}
