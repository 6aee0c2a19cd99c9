// A request's body: media type, size, encoding, JSON of bounded depth, no character that could not be stored.
import type { IncomingMessage } from 'node:http'
import { type Fault, Problem, REQUEST } from '@clinic-data/contract'
import { escapePointer, pointerTo, shownName } from './faults.ts'

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads and parses a JSON body.
 *
 * @throws Problem 415 for another media type or charset, 413 above the size limit, 400 for what is not JSON.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new Problem('unsupported-media-type', 'Send the body as application/json, in UTF-8.')
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported-media-type', 'Send the body without a content encoding.')
  }
  return parseBody(await collect(request))
}

/** Parses the bytes of a body; exported for its rules' tests. */
export function parseBody(bytes: Uint8Array): unknown {
  const text = decodeText(bytes)
  if (nestingOf(text) > REQUEST.json_depth) throw fault('depth', `must nest at most ${REQUEST.json_depth} levels`)
  let value: unknown
  try {
    value = JSON.parse(text, refuseProto)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw fault('json', text.trim() === '' ? 'must not be empty' : 'must be valid JSON')
  }
  const faults: Fault[] = []
  findForbidden(value, '', faults)
  if (faults.length > 0)
    throw new Problem('invalid-request', 'The body holds characters that cannot be stored.', {
      errors: faults.slice(0, 50),
    })
  return value
}

async function collect(request: IncomingMessage): Promise<Uint8Array> {
  const tooLarge = () => new Problem('content-too-large', `The body may have at most ${REQUEST.body_bytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > REQUEST.body_bytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > REQUEST.body_bytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw fault('encoding', 'must be UTF-8')
  }
}

function fault(code: string, detail: string): Problem {
  return new Problem('invalid-request', `The body ${detail}.`, { errors: [{ pointer: '#', code, detail }] })
}

/** How deep brackets nest outside of strings, found without recursion: 20,000 brackets must not cost a stack. */
function nestingOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw fault('unknown', 'must not hold a key named __proto__')
  return value
}

function findForbidden(value: unknown, place: string, faults: Fault[]): void {
  const refuse = (at: string, detail: string) => faults.push({ pointer: pointerTo(at), code: 'characters', detail })
  if (typeof value === 'string') {
    if (value.includes('\0')) refuse(place, 'must not hold the NUL character')
    else if (!value.isWellFormed()) refuse(place, 'must not hold a lone surrogate')
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      const at = `${place}/${escapePointer(shownName(key))}`
      if (key.includes('\0') || !key.isWellFormed()) refuse(at, 'must not hold such characters in its name')
      findForbidden(child, at, faults)
    }
  }
}
