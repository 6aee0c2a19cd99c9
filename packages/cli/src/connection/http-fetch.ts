// The part of `fetch` that the client needs, on Node's own HTTP modules. Loading the built-in `fetch` takes longer than the rest of
// a short command (docs/decisions/0013-sc-brings-its-fetch.md).
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Fetch } from '@clinic-data/client'
import { agentFor } from './proxy.ts'

/** Follows no redirect. The client refuses a redirect like any other unexpected answer. */
export const httpFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const agent = await agentFor(new URL(url))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const clientRequest = request(url, {
      ...(agent && { agent }),
      ...(method && { method }),
      ...(signal && { signal }),
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'gzip' },
    })
    clientRequest.once('response', resolve)
    clientRequest.once('error', reject)
    clientRequest.end(body)
  })
  const status = response.statusCode ?? 0
  // The part of a Response that the SDK reads.
  const answer: ReadResponse = {
    status,
    ok: status >= 200 && status < 300,
    type: 'default',
    headers: { get: (name: string) => response.headers[name.toLowerCase()]?.toString() ?? null },
    text: () => wholeText(response),
  }
  return answer as Response
}

type ReadResponse = Pick<Response, 'status' | 'ok' | 'type' | 'text'> & { headers: Pick<Headers, 'get'> }

async function wholeText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of await decoded(response)) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

async function decoded(response: IncomingMessage): Promise<Readable> {
  if (response.headers['content-encoding'] !== 'gzip') return response
  const { createGunzip } = await import('node:zlib')
  const plain = createGunzip()
  // With `pipe`, the reader would wait for ever after a broken connection.
  response.once('error', (error) => plain.destroy(error))
  return response.pipe(plain)
}
