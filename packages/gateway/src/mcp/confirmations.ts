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

export interface Confirmations {
  seal(grant: Grant, toolArguments: Members, way: Way): string
  /** @throws Problem 400 for a text that is too old, or was given for anything else. */
  check(grant: Grant, toolArguments: Members, way: Way, confirmation: string): void
}

/** @param now epoch milliseconds. */
export function confirmationsOf(keys: SigningKeys, { id }: Operation, now: () => number): Confirmations {
  const sealed = cursorsOf(keys, { id: `${id} confirmation` })
  const bound = ({ principal }: Grant, toolArguments: Members) => ({
    key_id: principal.key_id,
    arguments: ordered(toolArguments),
  })
  return {
    seal: (grant, toolArguments, way) =>
      sealed.seal(grant, bound(grant, toolArguments), [way, String(now() + CONFIRMATION_MINUTES * 60_000)]),
    check: (grant, toolArguments, way, confirmation) => {
      const [sealedWay, until] = sealed.open(grant, bound(grant, toolArguments), confirmation) ?? []
      if (sealedWay !== way) throw refused('confirmation', 'was not given for exactly these arguments; call without it')
      if (now() >= Number(until)) throw refused('expired', 'has expired; call without it')
    },
  }
}

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
