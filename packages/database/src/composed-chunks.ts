// The chunks of statements that are composed of the same parts, made once.
//
// A request composes its statement of the program's own fragments, some dozens for a list. Only the values differ from request to
// request. So the way through the fragments' chunks leads to the chunks of the whole, and neither they nor their text are made again.

export type Chunks = readonly string[]

/** Stands for a value among the parts of a statement. */
export const VALUE = Symbol('value')

/** More than the program has. Queries of analytics could make any number, so then all are forgotten. */
const MOST = 10_000

interface Place {
  chunks?: Chunks
  readonly next: Map<unknown, Place>
}

let first: Place = { next: new Map() }
let size = 0

/**
 * The chunks that belong to these parts, frozen. The parts are compared by identity.
 *
 * @param make Called for parts that were not composed before.
 */
export function composedChunks(parts: readonly unknown[], make: () => string[]): Chunks {
  if (size >= MOST) {
    first = { next: new Map() }
    size = 0
  }
  let place = first
  for (const part of parts) {
    let next = place.next.get(part)
    if (next === undefined) {
      next = { next: new Map() }
      place.next.set(part, next)
      size++
    }
    place = next
  }
  place.chunks ??= Object.freeze(make())
  return place.chunks
}
