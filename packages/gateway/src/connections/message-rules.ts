// The rules for a request before its path is read: the address's length, the version, and headers that may appear only once. Node's
// parser would silently drop the second one.

import type { IncomingMessage } from 'node:http'
import { type Fault, Problem, REQUEST } from '@clinic-data/contract'

/** A proxy in front of us may use the other one of two: it would check another value than we read. */
const ONCE = ['Host', 'Authorization', 'Content-Type']
const SPELLINGS = new Map(ONCE.flatMap((name) => [name, name.toLowerCase()].map((spelling) => [spelling, name])))
const LENGTHS = new Set(ONCE.map((name) => name.length))

/** Returns the problem with a request's message, or null. */
export function messageProblem({ url, httpVersion, headers, rawHeaders }: IncomingMessage): Problem | null {
  if ((url?.length ?? 0) > REQUEST.url_bytes) return addressTooLong()
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new Problem('invalid-request', 'Send the request as HTTP/1.1.')
  }
  if (httpVersion === '1.1' && !headers.host) return headerProblem('Host', 'required', 'is required')
  const repeated = repeatedHeader(rawHeaders)
  return repeated === null ? null : headerProblem(repeated, 'repeated', 'must be given once')
}

export function addressTooLong(): Problem {
  return new Problem('uri-too-long', `The address may have at most ${REQUEST.url_bytes} bytes.`)
}

/** Names and values alternate. Length distinguishes most names, and the usual spelling most others. */
function repeatedHeader(rawHeaders: readonly string[]): string | null {
  const seen: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const spelling = rawHeaders[i] ?? ''
    if (!LENGTHS.has(spelling.length)) continue
    const name = SPELLINGS.get(spelling) ?? SPELLINGS.get(spelling.toLowerCase())
    if (name === undefined) continue
    if (seen.includes(name)) return name
    seen.push(name)
  }
  return null
}

function headerProblem(header: string, code: string, detail: string): Problem {
  const errors: Fault[] = [{ header, code, detail }]
  return new Problem('invalid-request', `The header ${header} ${detail}.`, { errors })
}
