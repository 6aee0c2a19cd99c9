// Notices a key that reads patients one after another in the order of their ids, up or down, also while it does other things in between.
//
// Each step in the direction adds one, each other step takes four away, and below nothing it does not go. Patients in no order, where each second
// step goes up, come to forty by chance once in 10^11 steps. Whoever counts through ids comes there in forty.

/** The order of a key's reads on a day, as far as it is known. It goes from one page of the log to the next. */
export interface IdOrder {
  /** The patient that was read last. */
  last: string | null
  up: number
  down: number
  /** The highest of both. */
  most: number
}

/** The cost of a wrong step. With less, a list that is nearly in order adds up. */
const WRONG_STEP = 4

export const NO_ORDER: IdOrder = { last: null, up: 0, down: 0, most: 0 }

/** The same patient again is no step. */
export function orderAfter(order: IdOrder, patient_id: string): IdOrder {
  const { last, up, down, most } = order
  const step = last === null ? 0 : compareIds(patient_id, last)
  if (step === 0) return { ...order, last: patient_id }
  const next = {
    up: Math.max(0, up + (step > 0 ? 1 : -WRONG_STEP)),
    down: Math.max(0, down + (step < 0 ? 1 : -WRONG_STEP)),
  }
  return { last: patient_id, ...next, most: Math.max(most, next.up, next.down) }
}

/** Numbers at the end are compared as numbers: `p9` comes before `p10`. */
export function compareIds(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  if (one.before !== other.before) return one.before < other.before ? -1 : 1
  if (one.number.length !== other.number.length) return one.number.length - other.number.length
  if (one.number === other.number) return 0
  return one.number < other.number ? -1 : 1
}

function partsOf(id: string): { before: string; number: string } {
  const before = id.replace(/\d+$/, '')
  return { before, number: id.slice(before.length).replace(/^0+/, '') }
}
