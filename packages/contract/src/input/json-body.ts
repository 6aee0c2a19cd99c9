// Reads a request's body: its media type, its size, and its JSON.
import type { IncomingMessage } from 'node:http'
import { REQUEST } from '../limits.ts'
import { Problem } from '../problems.ts'
import { bytesWithin } from '../values/bytes-within.ts'
import { BodyMemory } from './body-memory.ts'
import { parseJson } from './json-text.ts'

/** Room for sixty-four of the largest bodies that a client may send. Each takes some milliseconds when they are sent at once. */
const bodies = new BodyMemory(64 * REQUEST.body_bytes)

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i

interface Bounds {
  maxBytes?: number
  /** The body's bytes, if another part of the program reads them from the request. */
  chunks?: AsyncIterable<Uint8Array>
}

/**
 * Reads and parses a JSON body. Undefined when the body is optional and was not sent.
 *
 * @throws Problem 415 for another media type or charset, 413 above the size limit, 400 for invalid JSON or too many values.
 */
export async function readJsonBody(
  request: IncomingMessage,
  {
    isNeeded = true,
    maxValues = REQUEST.json_values,
    ...bounds
  }: Bounds & { isNeeded?: boolean; maxValues?: number } = {},
): Promise<unknown> {
  if (!isNeeded && !isAnnounced(request)) return undefined
  if (bounds.chunks) return parseJson(await readJsonBytes(request, bounds), { values: maxValues })
  const whole = arrivedWhole(request, bounds)
  if (whole !== null) return parseJson(whole, { values: maxValues })
  return bodies.hold(bytesOf(request), async (chunks) =>
    parseJson(await readJsonBytes(request, { ...bounds, chunks }), { values: maxValues }),
  )
}

/**
 * The bytes of a body that is here already, as a small one is that came with its headers: it is parsed at once, so it needs no room beside
 * others. Null for any other.
 *
 * @throws Problem 415 and 413 as `readJsonBody`
 */
function arrivedWhole(request: IncomingMessage, { maxBytes = REQUEST.body_bytes }: Bounds): Uint8Array | null {
  checkAnnounced(request, maxBytes)
  // A simulated request brings its body only when it is asked to.
  request.read(0)
  const { readableLength, headers } = request
  return readableLength > 0 && readableLength === Number(headers['content-length']) ? request.read() : null
}

/** Does not wait for the rest of an unread body: the answer is sent first. */
function bytesOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
}

/** Reads a JSON body without parsing it. @throws Problem 415 and 413 as `readJsonBody` */
export async function readJsonBytes(
  request: IncomingMessage,
  { maxBytes = REQUEST.body_bytes, chunks = request }: Bounds = {},
): Promise<Uint8Array> {
  checkAnnounced(request, maxBytes)
  const bytes = await bytesWithin(chunks, maxBytes)
  if (bytes === null) throw tooLarge(maxBytes)
  return bytes
}

/** Refuses what the headers tell of a body. */
function checkAnnounced({ headers }: IncomingMessage, maxBytes: number): void {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new Problem('unsupported-media-type', 'Send the body as application/json, in UTF-8.')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported-media-type', 'Send the body without a content encoding.')
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

function tooLarge(maxBytes: number): Problem {
  return new Problem('content-too-large', `The body may have at most ${maxBytes} bytes.`)
}

function isAnnounced({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
