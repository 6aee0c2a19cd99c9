// A server in front of the running service, for what the service itself does not do: a bad network, a later release.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** They belong to one connection, or to how a body was sent on it. */
const NOT_FORWARDED = new Set([
  ...['host', 'connection', 'keep-alive', 'expect'],
  ...['content-length', 'transfer-encoding', 'accept-encoding', 'content-encoding'],
])

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void> | void

/** @param use gets the address of the server in front, which ends afterwards. */
export async function withServiceInFront(answer: Answer, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => answer(request, response, body))
      .catch((error: Error) => response.destroy(error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Asks the running service the same. @param url its address with the request's path. */
export function ask(url: string, { method = 'GET', headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const sent = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name))
  return fetch(url, {
    method,
    headers: sent.map(([name, value]) => [name, String(value)] as [string, string]),
    ...(body.length > 0 && { body }),
  })
}

/** Hands on what the service answered. @param text instead of the answer's own. */
export async function handOn(answer: Response, response: ServerResponse, text?: string): Promise<void> {
  const kept = [...answer.headers].filter(([name]) => !NOT_FORWARDED.has(name))
  response.writeHead(answer.status, kept.flat()).end(text ?? (await answer.text()))
}
