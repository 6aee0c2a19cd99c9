// Searches patients by the sound of their names: those in another script than the query, and those in its own where no name is
// written so (docs/decisions/0136).
import { type Statement, sql } from '@clinic-data/database'
import { namePart } from '../names/name-keys.ts'
import { MIXED, markOf, SCRIPTS, soundOf } from '../names/name-sounds.ts'
import { isFollowed, isInRange, pairRanges, rangeRelation } from './pair-ranges.ts'

export interface HeardNames {
  /** A relation of ranges of sounds: `low`, `high` and `second`. */
  readonly ranges: Statement
  /** Whether the sound of `name` (rows of `patient_name`) is in `range`, a row of `ranges`. An index has a range in order. */
  within(name: Statement, range: Statement): Statement
  /** The same for any of the ranges. For a patient's few keys, because no index serves it. */
  keyed(name: Statement): Statement
}

/** A shorter sound must be the whole part: too many names begin with it. */
const SHORTEST_BEGINNING = 3

/**
 * Matches names of which a part sounds like the first word, and another part like the second one, where they are not all in the
 * words' script, or `unwritten` holds.
 *
 * @param unwritten that no name of the clinic is written as the whole query. It is met for a range, not for each of its names.
 * @returns null when a word has no sound.
 */
export function heardNames(words: readonly string[], unwritten: Statement): HeardNames | null {
  const [lead = '', second] = words.map((word = '') => soundOf(namePart(word)))
  if (lead === '' || second === '') return null
  const other = second === undefined ? '' : beginning(second)
  const own = markOf(words)
  const ranges = [...SCRIPTS, MIXED].flatMap((mark) => pairRanges(mark + lead, other, beginning(lead) === lead))
  const isMarked = (sound: Statement) =>
    own === MIXED
      ? sql`true`
      : sql`(left(${sound}, 1) <> ${own} or ${words.every(isHeardWhole) ? unwritten : sql`false`})`
  return {
    ranges: sql`(select marked.* from ${rangeRelation(ranges)} marked(low, high, second) where ${isMarked(sql`marked.low`)})`,
    within: (name, range) => isInRange(sql`${name}.sound`, range),
    keyed: (name) => sql`starts_with(substr(${name}.sound, 2), ${beginning(lead)})
      and ${isFollowed(sql`${name}.sound`, sql`${other}`)} and ${isMarked(sql`${name}.sound`)}`,
  }
}

/** Nobody hears a digit or a sign in a name, and a key does not hold the rest of a longer word. */
function isHeardWhole(word: string): boolean {
  return /^[\p{L}\p{M}]+$/u.test(word) && namePart(word) === word
}

function beginning(sound: string): string {
  return sound.length < SHORTEST_BEGINNING ? `${sound} ` : sound
}
