// A server of apps' documents on this machine, with an answer that a test changes.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface DocumentServer {
  readonly url: string
  /** The paths that were asked for. */
  readonly asked: string[]
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

let served = 0

/**
 * Listens on 127.0.0.1 until the test ends. Its address is its own: the port may be a later test's, and the database knows the apps of this
 * one then.
 */
export async function serveDocuments(t: TestContext): Promise<DocumentServer> {
  const number = ++served
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const documents: DocumentServer = {
    url: `http://127.0.0.1:${port}/${number}/app.json`,
    asked: [],
    answer: (_, response) => response.writeHead(404).end(),
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    documents.asked.push(request.url ?? '')
    documents.answer(request, response)
  })
  return documents
}

/** Answers with a document. */
export function sends(value: unknown, headers: Record<string, string> = {}): DocumentServer['answer'] {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }
}
