// Refuses a change of what somebody else has changed since the form was opened, so that nobody undoes it unknowingly.
import { Problem } from '@clinic-data/contract'

const CHANGED =
  'Somebody else has changed this since you opened it, and nothing was stored. Look at it again, and send the change with what is known now.'

/** The code by which the page shows both. */
const CODE = 'changed_meanwhile'

export function changedMeanwhile(): Problem {
  const detail = 'is not how it is now'
  return new Problem('conflict', CHANGED, { errors: [{ pointer: '#/known', code: CODE, detail }] })
}

/**
 * Compare in the transaction of the change, with what cannot change until it ends.
 *
 * @param known the fields as the form was opened on. A sender who names none knows none, and changes what it sends.
 * @throws Problem 409
 */
export function requireAsKnown(stored: Readonly<Record<string, unknown>>, known: object = {}): void {
  const isKnown = Object.entries(known).every(([field, value]) => isSame(stored[field], value))
  if (!isKnown) throw changedMeanwhile()
}

function isSame(stored: unknown, known: unknown): boolean {
  if (stored instanceof Date) return typeof known === 'string' && stored.getTime() === new Date(known).getTime()
  return spelled(stored) === spelled(known)
}

/** Lists are sets here: of scopes, and of networks. */
function spelled(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value)
}
