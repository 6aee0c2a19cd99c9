// How places are shared, so that endpoints that hang do not make others wait: of a clinic's places some are kept for each of its lanes, and
// of a process's some for clinics that have few.
import { MAX_AT_ONCE } from '../subscriptions/circuit.ts'
import { AT_ONCE } from './engine-limits.ts'

/** One lane may always have as many as its endpoint takes. The rest is kept for the others in equal parts. */
export function keptForEach(lanes: number): number {
  return lanes < 2 ? MAX_AT_ONCE : Math.min(MAX_AT_ONCE, Math.floor((AT_ONCE.clinic - MAX_AT_ONCE) / (lanes - 1)))
}

/** How many of `most` places any lane may take, because they are kept for none. */
export function sharedOf(most: number, kept: readonly number[]): number {
  return Math.max(0, most - kept.reduce((sum, places) => sum + places, 0))
}

/** Places of a clinic and of a process: those that there are, or those that are taken. */
interface Places {
  readonly clinic: number
  readonly process: number
}

/** This part of a process's places is kept for clinics that have taken less than this part of their own. */
export const KEPT_PART = 1 / 8

/** How many more places a clinic may take. */
export function roomOf(all: Places, taken: Places): number {
  const few = Math.min(Math.floor(all.clinic * KEPT_PART) - taken.clinic, all.process - taken.process)
  const many = Math.min(all.clinic - taken.clinic, Math.floor(all.process * (1 - KEPT_PART)) - taken.process)
  return Math.max(0, few, many)
}
