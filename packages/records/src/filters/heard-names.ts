// Searches patients by the sound of their names, to find names in another script than the query (docs/decisions/0136).
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
 * words' script.
 *
 * @returns null when a word has no sound.
 */
export function heardNames(words: readonly string[]): HeardNames | null {
  const [lead = '', second] = words.map((word = '') => soundOf(namePart(word)))
  if (lead === '' || second === '') return null
  const other = second === undefined ? '' : beginning(second)
  const own = markOf(words)
  const marks = [...SCRIPTS.filter((script) => script !== own), MIXED]
  return {
    ranges: rangeRelation(marks.flatMap((mark) => pairRanges(mark + lead, other, beginning(lead) === lead))),
    within: (name, range) => isInRange(sql`${name}.sound`, range),
    keyed: (name) => sql`starts_with(substr(${name}.sound, 2), ${beginning(lead)})
      and left(${name}.sound, 1) = any(${marks}::text[]) and ${isFollowed(sql`${name}.sound`, sql`${other}`)}`,
  }
}

function beginning(sound: string): string {
  return sound.length < SHORTEST_BEGINNING ? `${sound} ` : sound
}
