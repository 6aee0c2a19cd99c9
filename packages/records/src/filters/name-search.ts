// Searches patients by name. Turns the words of a query into a range of keys of `patient_name` and further conditions
// (docs/decisions/0008).
import { Problem } from '@clinic-data/contract'
import { foldName } from '@clinic-data/contract/folded-name'
import { type Statement, sql } from '@clinic-data/database'
import { NAME_PART_LENGTH, namePart } from '../names/name-keys.ts'
import { type HeardNames, heardNames } from './heard-names.ts'
import { isFollowed, isInRange, LAST_CHARACTER, pairRanges, rangeRelation } from './pair-ranges.ts'

export interface NameSearch {
  /** The condition on the key in the relation `name` (rows of `patient_name`). */
  keyed(name: Statement): Statement
  /** A relation of the ranges of keys of a search by two words: `low`, `high` and `second`. Null for one word, whose keys lie together. */
  readonly ranges: Statement | null
  /** Conditions on the folded name `column` that the key cannot express. */
  narrowed(column: Statement): Statement[]
  /**
   * Finds names by the sound of the first two words: where one is written as the query, in another script only. Null when one has none. Made
   * when it is asked for: most searches find enough as it is written.
   */
  heard(): HeardNames | null
  /** The conditions on the patient `id` beside `heard`: each word after the second begins a part, or sounds like one. */
  narrowedBySound(id: Statement): Statement[]
}

/**
 * Matches names in which each word begins a part, in any order. A word with which another one begins adds nothing and is dropped.
 * None of the remaining words begins another, so they begin different parts, and some key holds any two of them in this order. The
 * longest comes first, because it leaves the fewest keys.
 *
 * @throws Problem `invalid-request` when the query has no letter or digit.
 */
export function nameSearch(clinic_id: string, query: string): NameSearch {
  const words = [...new Set(foldName(query).split(' '))]
    .filter((word, _, all) => !all.some((other) => other !== word && other.startsWith(word)))
    .sort((a, b) => b.length - a.length)
  const [lead = '', second, ...others] = words
  if (lead === '') throw nothingToSearchBy()
  const begins = namePart(lead)
  const compared = words.filter((word) => others.includes(word) || word.length > NAME_PART_LENGTH)
  const narrowed: NameSearch['narrowed'] = (column) =>
    compared.map((word) => sql`strpos(' ' || ${column}, ${` ${word}`}) > 0`)
  const ranges = () =>
    rangeRelation(
      second === undefined
        ? [{ low: begins, high: begins + LAST_CHARACTER, second: '' }]
        : pairRanges(begins, namePart(second), true),
    )
  const unwritten = () => isUnwritten(clinic_id, ranges(), narrowed)
  return {
    keyed: (name) => {
      if (second === undefined) return beginsKey(name, lead)
      return sql`${beginsKey(name, lead)} and ${isFollowed(sql`${name}.key`, sql`${namePart(second)}`)}`
    },
    ranges: second === undefined ? null : ranges(),
    narrowed,
    heard: () => heardNames(second === undefined ? [lead] : [lead, second], unwritten()),
    narrowedBySound: (id) => others.map((word) => hasPart(clinic_id, id, word, unwritten())),
  }
}

function beginsKey(name: Statement, word: string): Statement {
  const begins = namePart(word)
  return sql`${name}.key >= ${begins} and ${name}.key < ${begins + LAST_CHARACTER}`
}

/** By the words alone, so that another filter only narrows what they find, and each page finds it the same way. */
function isUnwritten(clinic_id: string, ranges: Statement, narrowed: NameSearch['narrowed']): Statement {
  const folded = sql`(select name_folded from patient where clinic_id = ${clinic_id} and id = written.patient_id)`
  const where = [sql`written.clinic_id = ${clinic_id}`, isInRange(sql`written.key`, sql`range`), ...narrowed(folded)]
  return sql`not exists (select from ${ranges} range(low, high, second) cross join lateral
    (select from patient_name written where ${sql.join(where, sql` and `)} order by written.key limit 1) first)`
}

function hasPart(clinic_id: string, id: Statement, word: string, unwritten: Statement): Statement {
  const ways = [beginsKey(sql`part`, word), heardNames([word], unwritten)?.keyed(sql`part`) ?? sql`false`]
  return sql`(select true from patient_name part
    where part.clinic_id = ${clinic_id} and part.patient_id = ${id} and (${sql.join(ways, sql` or `)}) limit 1)`
}

function nothingToSearchBy(): Problem {
  const detail = 'The query holds no letter or digit. Send the beginning of a part of the name.'
  return new Problem('invalid-request', detail, { errors: [{ parameter: 'query', code: 'empty', detail }] })
}
