// The paths of the API that may be meant by one that it does not have. They come from the contract, so an answer repeats nothing of the
// request.
import { allOperations } from '@clinic-data/contract'
import { isOneSlip } from '@clinic-data/contract/one-slip'

/** More than any path of the contract. Longer ones are guesses of a scanner, and are compared with nothing. */
const MOST = { letters: 200, parts: 8 }
/** Shorter words differ by a letter and mean something else. */
const SHORTEST_COMPARED = 4
const MOST_NAMED = 3
const ID = '{}'
const VERSION = 'v1'

const known = [...new Set(allOperations.map(({ path }) => path))].map((path) => {
  const parts = partsOf(path).map((part) => (part.startsWith('{') ? ID : part))
  return { path, parts }
})
const words = [...new Set(known.flatMap(({ parts }) => parts))].filter((part) => part !== ID)

/**
 * At most three of equal nearness. None when no word of the path is known.
 *
 * @example nearestPaths('/v1/appointment/123') // ['/v1/appointments/{id}']
 */
export function nearestPaths(sent: string): string[] {
  if (sent.length > MOST.letters) return []
  const sentParts = partsOf(sent)
  if (sentParts.length > MOST.parts) return []
  const parts = sentParts.map(asKnown)
  const named = parts.filter((part) => part !== ID && part !== VERSION)
  // Before /v1 or in its place nothing is known, and `/docs/webhooks.html` means no operation.
  const farthest = parts.includes(VERSION) ? 2 : 1
  const near = known
    .filter((one) => named.some((word) => one.parts.includes(word)))
    .map((one) => ({ ...one, distance: distance(parts, one.parts) }))
    .filter((one) => one.distance <= farthest)
  const least = Math.min(...near.map((one) => one.distance))
  return near.flatMap((one) => (one.distance === least ? one.path : [])).slice(0, MOST_NAMED)
}

function partsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

/** A part that is no word of the contract may be an id. */
function asKnown(part: string): string {
  const sent = part.toLowerCase()
  if (words.includes(sent)) return sent
  return (sent.length >= SHORTEST_COMPARED && words.find((word) => isOneSlip(sent, word))) || ID
}

/** How many parts are in only one of the two, in their order. */
function distance(a: readonly string[], b: readonly string[]): number {
  let shared = Array<number>(b.length + 1).fill(0)
  for (const part of a) {
    const next = [0]
    for (const [at, other] of b.entries()) {
      const longest = Math.max(shared[at + 1] ?? 0, next[at] ?? 0)
      next.push(part === other ? (shared[at] ?? 0) + 1 : longest)
    }
    shared = next
  }
  return a.length + b.length - 2 * (shared.at(-1) ?? 0)
}
