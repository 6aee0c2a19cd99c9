// Parses received JSON: UTF-8, of limited depth, without characters that could not be stored or names that would change its
// meaning.
import { isUtf8 } from 'node:buffer'
import { MAX, REQUEST } from '../limits.ts'
import type { Problem } from '../problems.ts'
import { faultProblem } from './fault-problem.ts'
import { bodyFault, type Finding, memberPlace, shownName } from './findings.ts'

const decoder = new TextDecoder('utf-8')

/** The JSON of a text; undefined when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface JsonLimits {
  /** How deep lists and objects may nest. */
  depth?: number
  /** The most values, counting lists and objects. An empty one counts twice. */
  values?: number
}

/**
 * Parses a JSON text. The caller limits its length.
 *
 * @throws Problem 400 with a pointer: not UTF-8, not JSON, too deep, too many values, a NUL, half a character, or a key `__proto__`.
 * @example parseJson(new TextEncoder().encode('{"amount":350}')) // { amount: 350 }
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits = {}): unknown {
  const { depth = REQUEST.json_depth, values = Number.POSITIVE_INFINITY } = limits
  const text = decodeText(bytes)
  const size = sizeOf(text)
  if (size.depth > depth) throw refusal('depth', `must nest at most ${depth} levels`)
  if (size.values > values) throw refusal('too_many', `must hold at most ${values} values`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refusal('json', text.trim() === '' ? 'must not be empty' : 'must be valid JSON')
  }
  const findings = mayHoldForbidden(text) ? forbiddenIn(value) : []
  if (findings.length === 0) return value
  throw faultProblem('invalid-request', findings.map(bodyFault))
}

/**
 * Finds characters in a JSON value that no column stores, and names that no member may have. At most as many as an answer reports.
 */
export function forbiddenIn(value: unknown): Finding[] {
  const findings: Finding[] = []
  findForbidden(value, [], findings)
  return findings
}

function decodeText(bytes: Uint8Array): string {
  // Ten times as fast as a decoder that refuses invalid bytes.
  if (!isUtf8(bytes)) throw refusal('encoding', 'must be UTF-8')
  return decoder.decode(bytes)
}

function refusal(code: string, detail: string): Problem {
  return faultProblem('invalid-request', [bodyFault({ place: '', code, detail })])
}

/** In UTF-8 JSON such characters can only be escaped. */
function mayHoldForbidden(text: string): boolean {
  return text.includes('\\u') || text.includes('__proto__')
}

/** Counts brackets and commas outside of strings, before parsing and without recursion. */
function sizeOf(text: string): { depth: number; values: number } {
  let nesting = 0
  let depth = 0
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // White space.
    if (code < QUOTE) continue
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === COMMA) values++
    else if (code === LIST || code === OBJECT) {
      values++
      depth = Math.max(depth, ++nesting)
    } else if (code === LIST_END || code === OBJECT_END) nesting--
  }
  return { depth, values }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The end of the string that begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (end < 0) return text.length
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end
  // Step by step, because one search for each escaped quote costs ten times as much.
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}

/** Builds places only for findings, because there are almost never any. */
function findForbidden(value: unknown, path: string[], findings: Finding[]): void {
  const tell = (code: string, detail: string) => {
    const place = path.reduce((at, name) => memberPlace(at, shownName(name)), '')
    if (findings.length < MAX.errors) findings.push({ place, code, detail })
  }
  if (typeof value === 'string') {
    const detail = forbiddenCharacters(value)
    if (detail !== null) tell('characters', detail)
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      path.push(String(at))
      findForbidden(item, path, findings)
      path.pop()
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      path.push(name)
      if (name === '__proto__') tell('unknown', 'is not known here')
      else if (forbiddenCharacters(name) !== null)
        tell('characters', 'must not hold NUL or a lone surrogate in its name')
      else findForbidden(member, path, findings)
      path.pop()
    }
  }
}

function forbiddenCharacters(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the NUL character'
  return text.isWellFormed() ? null : 'must not hold a lone surrogate'
}
