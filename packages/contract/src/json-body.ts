// A request's body: its media type, its size, and the JSON in it.
import type { IncomingMessage } from 'node:http'
import { parseJson } from './json-text.ts'
import { REQUEST } from './limits.ts'
import { Problem } from './problems.ts'

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i

/**
 * Reads and parses a JSON body. Where none is needed, undefined stands for one that was not sent.
 *
 * @throws Problem 415 for another media type or charset, 413 above the size limit, 400 for what is not JSON or holds too
 *   many values.
 */
export async function readJsonBody(
  request: IncomingMessage,
  options: { isNeeded?: boolean; maxBytes?: number; maxValues?: number } = {},
): Promise<unknown> {
  const { isNeeded = true, maxBytes = REQUEST.body_bytes, maxValues = REQUEST.json_values } = options
  if (!isNeeded && !isAnnounced(request)) return undefined
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new Problem('unsupported-media-type', 'Send the body as application/json, in UTF-8.')
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported-media-type', 'Send the body without a content encoding.')
  }
  return parseJson(await collect(request, maxBytes), { values: maxValues })
}

function isAnnounced({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

async function collect(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new Problem('content-too-large', `The body may have at most ${maxBytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
