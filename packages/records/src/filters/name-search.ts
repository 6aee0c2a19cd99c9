// Searches patients by name. Turns the words of a query into a range of keys of `patient_name` and further conditions
// (docs/decisions/0008).
import { Problem } from '@clinic-data/contract'
import { foldName } from '@clinic-data/contract/folded-name'
import { type Statement, sql } from '@clinic-data/database'
import { NAME_PART_LENGTH, namePart } from '../names/name-keys.ts'
import { type HeardNames, heardNames } from './heard-names.ts'
import { isFollowed, LAST_CHARACTER, pairRanges, rangeRelation } from './pair-ranges.ts'

export interface NameSearch {
  /** The condition on the key in the relation `name` (rows of `patient_name`). */
  keyed(name: Statement): Statement
  /** A relation of the ranges of keys of a search by two words: `low`, `high` and `second`. Null for one word, whose keys lie together. */
  readonly ranges: Statement | null
  /** Conditions on the folded name `column` that the key cannot express. */
  narrowed(column: Statement): Statement[]
  /** Finds names in another script by the sound of the first two words. Null when one has none. */
  readonly heard: HeardNames | null
  /** The conditions on the patient `id` beside `heard`: each word after the second begins a part, or sounds like one in another script. */
  narrowedBySound(clinic_id: string, id: Statement): Statement[]
}

/**
 * Matches names in which each word begins a part, in any order. A word with which another one begins adds nothing and is dropped.
 * None of the remaining words begins another, so they begin different parts, and some key holds any two of them in this order. The
 * longest comes first, because it leaves the fewest keys.
 *
 * @throws Problem `invalid-request` when the query has no letter or digit.
 */
export function nameSearch(query: string): NameSearch {
  const words = [...new Set(foldName(query).split(' '))]
    .filter((word, _, all) => !all.some((other) => other !== word && other.startsWith(word)))
    .sort((a, b) => b.length - a.length)
  const [lead = '', second, ...others] = words
  if (lead === '') throw nothingToSearchBy()
  const begins = namePart(lead)
  const narrowed = words.filter((word) => others.includes(word) || word.length > NAME_PART_LENGTH)
  return {
    keyed: (name) => {
      const range = sql`${name}.key >= ${begins} and ${name}.key < ${begins + LAST_CHARACTER}`
      if (second === undefined) return range
      return sql`${range} and ${isFollowed(sql`${name}.key`, sql`${namePart(second)}`)}`
    },
    ranges: second === undefined ? null : rangeRelation(pairRanges(begins, namePart(second), true)),
    narrowed: (column) => narrowed.map((word) => sql`strpos(' ' || ${column}, ${` ${word}`}) > 0`),
    heard: heardNames(second === undefined ? [lead] : [lead, second]),
    narrowedBySound: (clinic_id, id) => others.map((word) => hasPart(nameSearch(word), clinic_id, id)),
  }
}

function hasPart({ keyed, heard }: NameSearch, clinic_id: string, id: Statement): Statement {
  const either = heard === null ? keyed(sql`part`) : sql`(${keyed(sql`part`)} or ${heard.keyed(sql`part`)})`
  return sql`(select true from patient_name part where part.clinic_id = ${clinic_id} and part.patient_id = ${id} and ${either} limit 1)`
}

function nothingToSearchBy(): Problem {
  const detail = 'The query holds no letter or digit. Send the beginning of a part of the name.'
  return new Problem('invalid-request', detail, { errors: [{ parameter: 'query', code: 'empty', detail }] })
}
