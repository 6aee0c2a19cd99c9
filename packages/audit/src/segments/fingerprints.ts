// Finds the segments that name an id without opening them: the names of a segment as fingerprints, in slots. A search reads one slot of
// each segment. Two names may have one fingerprint, so whoever finds a segment looks into it.
import { crc32 } from 'node:zlib'
import { reachOneSum, writeNumbers } from './numbers.ts'

/** About as many names share a slot: fewer would make more rows, more would make each longer to read. */
const NAMES_OF_A_SLOT = 128
const MOST_SLOTS = 1024
/** The numbers of slots that a segment may have: 1, 2, 4 and so on. */
const COUNTS = Array.from({ length: Math.log2(MOST_SLOTS) + 1 }, (_, n) => 2 ** n)

export interface Slot {
  slot: number
  fingerprints: Buffer
}

/** The slots of a segment with these names, in the order of their numbers. Empty ones are left out. */
export function slotsOf(names: readonly string[]): Slot[] {
  const count = COUNTS.find((count) => names.length <= count * NAMES_OF_A_SLOT) ?? MOST_SLOTS
  const slots = new Map<number, Set<number>>()
  for (const name of names) {
    const { slot, rest } = placeOf(name, count)
    const there = slots.get(slot)
    if (there === undefined) slots.set(slot, new Set([rest]))
    else there.add(rest)
  }
  return [...slots]
    .sort(([a], [b]) => a - b)
    .map(([slot, rests]) => ({ slot, fingerprints: writeDistances([...rests].sort((a, b) => a - b)) }))
}

/** The fingerprints to look for, by slot, however many slots a segment has. */
export type Wanted = ReadonlyMap<number, ReadonlySet<number>>

export function wantedFor(names: readonly string[]): Wanted {
  const wanted = new Map<number, Set<number>>()
  for (const name of names)
    for (const count of COUNTS) {
      const { slot, rest } = placeOf(name, count)
      wanted.set(slot, (wanted.get(slot) ?? new Set()).add(rest))
    }
  return wanted
}

/** False: the segment of the slot names none of them. */
export function mayNameOne({ slot, fingerprints }: Slot, wanted: Wanted): boolean {
  const rests = wanted.get(slot)
  return rests !== undefined && reachOneSum(fingerprints, rests)
}

/** The slots of a segment with `count` of them are numbered from `count` on, so that the number alone tells how many there are. */
function placeOf(name: string, count: number): { slot: number; rest: number } {
  const fingerprint = crc32(name)
  return { slot: count + (fingerprint % count), rest: Math.floor(fingerprint / count) }
}

function writeDistances(ascending: readonly number[]): Buffer {
  return writeNumbers(ascending.map((value, n) => value - (ascending[n - 1] ?? 0)))
}
