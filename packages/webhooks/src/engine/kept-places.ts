// How a clinic's places are shared among its lanes: some are kept for each, so that no number of endpoints that hang makes another wait.
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
