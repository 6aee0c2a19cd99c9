// Searches patients by the sound of their names, to find names in another script than the query (docs/decisions/0136).
import { type Statement, sql } from '@clinic-data/database'
import { namePart } from '../names/name-keys.ts'
import { MIXED, markOf, SCRIPTS, soundOf } from '../names/name-sounds.ts'

export interface HeardNames {
  /** A relation of ranges of sounds: `low` and `high`, and `other`, with which the second sound begins. */
  readonly ranges: Statement
  /** Whether the sound of `name` (rows of `patient_name`) is in `range`, a row of `ranges`. An index has a range in order. */
  within(name: Statement, range: Statement): Statement
  /** The same for any of the ranges. For a patient's few keys, because no index serves it. */
  keyed(name: Statement): Statement
}

/** A shorter sound must be the whole part: too many names begin with it. */
const SHORTEST_BEGINNING = 3

/** Greater than the space behind a sound, and greater than any of its letters. */
const AFTER_SPACE = '!'
const AFTER_LETTERS = '~'

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
  const found = marks.flatMap((mark) => rangesOf(mark + lead, other, beginning(lead) === lead))
  const column = (of: keyof SoundRange) => sql`${found.map((range) => range[of])}::text[]`
  const followed = (name: Statement, by: Statement) => sql`starts_with(split_part(${name}.sound, ' ', 2) || ' ', ${by})`
  return {
    ranges: sql`unnest(${column('low')}, ${column('high')}, ${column('other')})`,
    within: (name, range) => sql`${name}.sound >= ${range}.low and ${name}.sound < ${range}.high
      and ${followed(name, sql`${range}.other`)}`,
    keyed: (name) => sql`starts_with(substr(${name}.sound, 2), ${beginning(lead)})
      and left(${name}.sound, 1) = any(${marks}::text[]) and ${followed(name, sql`${other}`)}`,
  }
}

interface SoundRange {
  readonly low: string
  readonly high: string
  readonly other: string
}

/** Sounds of which the first is `first`: they lie together with their second one. And those of which the first begins so. */
function rangesOf(first: string, other: string, begins: boolean): SoundRange[] {
  const low = `${first} ${other}`
  const whole = { low, high: low + AFTER_LETTERS, other: '' }
  return begins ? [whole, { low: first + AFTER_SPACE, high: first + AFTER_LETTERS, other }] : [whole]
}

function beginning(sound: string): string {
  return sound.length < SHORTEST_BEGINNING ? `${sound} ` : sound
}
