// JSON as it arrives: UTF-8, of bounded depth, without what could not be stored or would change its meaning.
import { bodyFault, type Finding, memberPlace, shownName } from './findings.ts'
import { MAX, REQUEST } from './limits.ts'
import { Problem } from './problems.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The value of a JSON text.
 *
 * @param limits How deep lists and objects may nest. How long the text may be is the affair of whoever collects it.
 * @throws Problem 400 with a pointer: not UTF-8, not JSON, too deep, a NUL, half a character, or a key `__proto__`.
 * @example parseJson(new TextEncoder().encode('{"amount":350}')) // { amount: 350 }
 */
export function parseJson(bytes: Uint8Array, limits: { depth: number } = { depth: REQUEST.json_depth }): unknown {
  const text = decodeText(bytes)
  if (nestingOf(text) > limits.depth) throw refusal('depth', `must nest at most ${limits.depth} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refusal('json', text.trim() === '' ? 'must not be empty' : 'must be valid JSON')
  }
  const findings = forbiddenIn(value)
  if (findings.length === 0) return value
  throw new Problem('invalid-request', 'The body holds what cannot be stored.', { errors: findings.map(bodyFault) })
}

/** What a value of JSON holds that no column takes, or that is no name for a member; at most as many as an answer tells. */
export function forbiddenIn(value: unknown): Finding[] {
  const findings: Finding[] = []
  findForbidden(value, [], findings)
  return findings
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw refusal('encoding', 'must be UTF-8')
  }
}

function refusal(code: string, detail: string): Problem {
  return new Problem('invalid-request', `The body ${detail}.`, { errors: [bodyFault({ place: '', code, detail })] })
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

/** Places are written out for what is found only: almost always nothing is. */
function findForbidden(value: unknown, path: string[], findings: Finding[]): void {
  const tell = (code: string, detail: string) => {
    const place = path.reduce((at, name) => memberPlace(at, shownName(name)), '')
    if (findings.length < MAX.errors) findings.push({ place, code, detail })
  }
  if (typeof value === 'string') {
    const detail = forbiddenCharacters(value)
    if (detail !== null) tell('characters', detail)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      path.push(name)
      if (name === '__proto__') tell('unknown', 'is not known here')
      else if (forbiddenCharacters(name) !== null) tell('characters', 'must not hold such characters in its name')
      else findForbidden(member, path, findings)
      path.pop()
    }
  }
}

function forbiddenCharacters(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the NUL character'
  return text.isWellFormed() ? null : 'must not hold a lone surrogate'
}
