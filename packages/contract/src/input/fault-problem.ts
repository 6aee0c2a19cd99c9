// A problem of several faults: its `detail` says the first one in words, and how many more there are.
import { MAX } from '../limits.ts'
import { type Fault, Problem } from '../problems.ts'

/**
 * @param also a sentence for the end of the detail.
 * @example faultProblem('invalid-request', faults).message // '`limit` must be from 1 to 100 (and 1 more fault).'
 */
export function faultProblem(
  slug: 'invalid-request' | 'unprocessable' | 'idempotency-key-reused',
  faults: readonly Fault[],
  also?: string,
): Problem {
  const [first] = faults
  if (first === undefined) throw new Error('a problem of faults has at least one')
  const sentence = `${placeInWords(first)} ${first.detail}${othersInWords(faults.length - 1)}.`
  return new Problem(slug, also === undefined ? sentence : `${sentence} ${also}`, {
    errors: faults.slice(0, MAX.errors),
  })
}

/** In words that nobody reads as more of the names before them. Not all of many faults are looked for. */
function othersInWords(others: number): string {
  if (others === 0) return ''
  const faults = others === 1 ? 'fault' : 'faults'
  return others < MAX.errors ? ` (and ${others} more ${faults})` : ` (and at least ${others} more ${faults})`
}

const PLAIN_NAME = /^\w+$/
const INDEX = /^\d+$/
/** As some HTTP clients write a list: `event_types[]=…`. */
const LIST_PARAMETER = /^\w+\[\w*\]$/

/** The place as a person writes it: `limit`, `attribution.utm_source`, `filters[0].value`. Names that need it are in quotes. */
function placeInWords(fault: Fault): string {
  if ('header' in fault) return `\`${fault.header}\``
  if ('parameter' in fault && LIST_PARAMETER.test(fault.parameter)) return `\`${fault.parameter}\``
  const names =
    'parameter' in fault
      ? [fault.parameter]
      : fault.pointer
          .split('/')
          .slice(1)
          .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
  if (names.length === 0) return 'The body'
  const path = names.map((name, at) => {
    if (at > 0 && INDEX.test(name)) return `[${name}]`
    if (!PLAIN_NAME.test(name)) return `[${JSON.stringify(name)}]`
    return at === 0 ? name : `.${name}`
  })
  return `\`${path.join('')}\``
}
