// The proof that a write was shown before it is done: a sealed text that fits one key, one operation and exactly these arguments, for ten
// minutes. Nothing of it is kept: any gateway of the service reads it (docs/decisions/0137).
import type { Fault, Grant, Operation } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { cursorsOf } from '../requests/operation-cursor.ts'
import type { Members } from './mcp-tool.ts'

/** Long enough to read what would be written and to fetch somebody. The answer to a repeated write is kept for longer. */
export const CONFIRMATION_MINUTES = 10

/** Who says yes: a person whom the client asks, or whoever sends the argument. A proof of the second way never serves as one of the first. */
export type Way = 'person' | 'argument'

/** A write as it was shown: its arguments, and in words what they would do. */
export interface Shown {
  readonly wanted: Members
  readonly effect: string
  /** Says that the record is there already, so that no new one comes of it. Empty: the write is new. */
  readonly known: string
}

export interface Confirmations {
  seal(grant: Grant, shown: Shown, way: Way): string
  /** @throws Problem 400 for a text that is too old, or was given for anything else. */
  check(grant: Grant, shown: Shown, way: Way, confirmation: string): void
}

/** @param now epoch milliseconds. */
export function confirmationsOf(keys: SigningKeys, { id }: Operation, now: () => number): Confirmations {
  const sealed = cursorsOf(keys, { id: `${id} confirmation` })
  const bound = ({ principal }: Grant, { wanted, effect }: Shown) => ({
    key_id: principal.key_id,
    arguments: ordered(wanted),
    effect,
  })
  return {
    seal: (grant, shown, way) =>
      sealed.seal(grant, bound(grant, shown), [
        way,
        String(now() + CONFIRMATION_MINUTES * 60_000),
        ...(shown.known === '' ? [] : [KNOWN]),
      ]),
    check: (grant, shown, way, confirmation) => {
      const [sealedWay, until, known] = sealed.open(grant, bound(grant, shown), confirmation) ?? []
      // A repeat after a success was shown as new, and is known by now: that is no reason to refuse it.
      const isNewSince = known === KNOWN && shown.known === ''
      if (sealedWay !== way || isNewSince) throw refused('confirmation', OTHERS)
      if (now() >= Number(until)) throw refused('expired', 'has expired; call without it')
    },
  }
}

/** In the proof of a write that was shown as nothing new. */
const KNOWN = 'known'

const OTHERS = 'was not given for exactly these arguments, or what they would do has changed since; call without it'

function refused(code: string, detail: string) {
  const fault: Fault = { parameter: 'confirmation', code, detail }
  return faultProblem('invalid-request', [fault], 'Nothing was written.')
}

/** The same members in one order: a model that repeats a call may give them in another one. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([name, inner]) => [name, ordered(inner)])
}
