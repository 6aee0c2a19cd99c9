// Isolation: a key of one clinic never reaches anything of another clinic.
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '@clinic-data/contract'
import { argumentName } from '@clinic-data/contract/names'
import type { Question } from '../clinic-under-test.ts'
import type { CallOutcome } from '../outcome.ts'
import { idOf, type Row, rowInWords } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'
import { hasFile, spread } from '../subjects.ts'
import { withQuery } from './filter-rules.ts'

/** How many ids of the other clinic are asked for. */
const FOREIGN_IDS = 6

/** Lists of patients' data: two clinics never share a row. Catalogs may be alike. */
function personalLists(trial: Trial): Operation[] {
  return trial
    .reads('page')
    .filter(({ id, ids, query }) => !('id' in ids) && (id === 'patients.list' || 'patient_id' in query.properties))
}

interface Foreign {
  /** Ids of a kind in the other clinic, preferably ids that this one does not have. */
  ids: string[]
  /** Whether this clinic listed all of its ids, and so cannot have these too. */
  isCertain: boolean
}

export async function foreignIds(
  trial: Trial,
  kind: string,
  has: (row: Row) => boolean = () => true,
): Promise<Foreign> {
  const ours = new Set((await trial.subjects.rowsOf(kind)).map(idOf))
  const theirs = (await trial.other.subjects.rowsOf(kind)).filter(has).flatMap((row) => idOf(row) ?? [])
  const absent = theirs.filter((id) => !ours.has(id))
  if (absent.length === 0) return { ids: spread(theirs, FOREIGN_IDS), isCertain: false }
  return { ids: spread(absent, FOREIGN_IDS), isCertain: await trial.subjects.isWhole(kind) }
}

/**
 * Whether the answer about an id of the other clinic shows something of that clinic. Null when that is unknown. This
 * clinic may have the same id: then the answer is a row of its own, with other content.
 */
async function isLeaked(
  trial: Trial,
  operation: Operation,
  question: Question,
  isCertain: boolean,
): Promise<boolean | null> {
  const outcome = await trial.clinic.known(operation, question)
  if (outcome.kind === 'refused') return outcome.slug !== 'not-found'
  if (outcome.kind === 'unusable') return true
  // Below a path an empty list says that there is such a patient. Under a filter it is expected.
  if (outcome.rows.length === 0) return isCertain && 'id' in operation.ids && !hasFilter(question)
  if (isCertain) return true
  const theirs = await trial.other.clinic.known(operation, question)
  // Files and free hours of two clinics may be alike.
  if (operation.shape === 'link' || operation.shape === 'bounded' || theirs.kind !== 'answered') return null
  return outcome.rows.some((row) => theirs.rows.some((other) => isDeepStrictEqual(row, other)))
}

function hasFilter({ query = {} }: Question): boolean {
  return Object.keys(query).length > 0
}

const lists: Rule = {
  name: 'isolation.lists',
  protects: 'No list shows a row of another clinic.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of personalLists(trial)) {
      const [ours, theirs] = [await trial.clinic.list(operation), await trial.other.clinic.list(operation)]
      const byId = new Map(theirs.rows.map((row) => [idOf(row), row]))
      if (ours.rows.length === 0 || theirs.rows.length === 0)
        trial.untried.add(`${operation.id}: one of the clinics has no rows`)
      else {
        const shared = ours.rows.find((row) => isDeepStrictEqual(byId.get(idOf(row)), row))
        trial
          .saw(operation, 'by each of the two clinics', `${rowInWords(shared)} in both, equal in every field`)
          .expect('no row in both lists', shared === undefined)
      }
    }
  },
}

const ids: Rule = {
  name: 'isolation.ids',
  protects: 'The id of another clinic’s patient, visit, payment, call or message is not found.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of trial.reads()) {
      const names = Object.keys(operation.ids)
      const [name] = names
      if (name === undefined || names.length > 1) continue
      const kind = argumentName(operation, name)
      const { ids, isCertain } = await foreignIds(trial, kind, hasFile[operation.id])
      const questions = ids.map((id): Question => ({ params: { [name]: id } }))
      await holdNothingLeaks(trial, operation, questions, isCertain, kind, 'the problem not-found')
    }
  },
}

async function holdNothingLeaks(
  trial: Trial,
  operation: Operation,
  questions: readonly Question[],
  isCertain: boolean,
  kind: string,
  expected: string,
): Promise<void> {
  let tried = 0
  for (const question of questions) {
    const leaked = await isLeaked(trial, operation, question, isCertain)
    if (leaked === null) continue
    tried += 1
    trial
      .saw(
        operation,
        `${inWords(question)}, a ${kind} of the second clinic`,
        'an answer that only the second clinic should get',
      )
      .expect(isCertain ? expected : 'nothing of the answer to the second clinic', !leaked)
  }
  if (tried > 0) return
  const why = questions.length === 0 ? 'the second clinic has no such ids' : 'both clinics have the same ids'
  trial.untried.add(`${operation.id}, ${kind}: ${why}`)
}

const filters: Rule = {
  name: 'isolation.filters',
  protects: 'A filter by another clinic’s id shows nothing, like a filter by an unknown id.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of [...trial.reads('page'), ...trial.reads('bounded')]) {
      const [subject] = await trial.subjects.of(operation)
      if (!subject) continue
      for (const [name, unknown] of Object.entries(operation.unknownIds)) {
        const { ids, isCertain } = await foreignIds(trial, name)
        const questions = ids.map((id) => withQuery(subject, { [name]: id }))
        await holdNothingLeaks(
          trial,
          operation,
          questions,
          isCertain,
          name,
          unknown === 'not-found' ? 'the problem not-found' : 'an empty list',
        )
      }
    }
  },
}

const positions: Rule = {
  name: 'isolation.positions',
  protects: 'A position from another clinic’s list shows none of that clinic’s rows.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of personalLists(trial)) {
      const theirs = await trial.other.clinic.list(operation)
      const { pages } = await trial.other.clinic.walk(operation, {}, 2, 2)
      const byId = new Map(theirs.rows.map((row) => [idOf(row), row]))
      const after = pages[0]?.next
      if (!after) {
        trial.untried.add(`${operation.id}: the second clinic has at most 2 rows`)
        continue
      }
      const question: Question = { limit: 100, after }
      const outcome = await trial.clinic.ask(operation, question)
      const rows = outcome.kind === 'answered' ? outcome.rows : []
      const leaked = rows.find((row) => isDeepStrictEqual(byId.get(idOf(row)), row))
      trial
        .saw(operation, `${inWords(question)} of the second clinic`, `${rowInWords(leaked)} of the second clinic`)
        .expect('none of its rows', leaked === undefined)
    }
  },
}

/** How many reads run at once, half of them for each clinic. */
const AT_ONCE = 50
const ROUNDS = 2

const atOnce: Rule = {
  name: 'isolation.at-once',
  protects: 'Simultaneous reads of two clinics never mix: neither gets the other’s answer.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    const me = trial.served('me.get')
    const questions = [...(me ? [me] : []), ...personalLists(trial)]
    const sides = [trial.clinic, trial.other.clinic]
    for (let round = 0; round < ROUNDS; round++) {
      const reads = Array.from({ length: AT_ONCE }, (_, i) => ({
        clinic: sides[i % 2] ?? trial.clinic,
        operation: questions[Math.floor(i / 2 + round) % questions.length],
      }))
      const known = reads.flatMap(({ clinic, operation }) => (operation ? [{ clinic, operation }] : []))
      const alone: unknown[] = []
      for (const { clinic, operation } of known) alone.push(dataOf(await clinic.known(operation, { limit: 10 })))
      const together = await Promise.all(known.map(({ clinic, operation }) => clinic.ask(operation, { limit: 10 })))
      for (const [i, outcome] of together.entries()) {
        trial
          .saw(
            known[i]?.operation.id ?? '',
            `limit=10, with ${AT_ONCE - 1} other reads of two clinics at the same time`,
            outcome.kind === 'answered' ? 'another answer' : outcome,
          )
          .expect('the same answer as when it is asked alone', isDeepStrictEqual(dataOf(outcome), alone[i]))
      }
    }
  },
}

/** The fields that do not change, such as ids and names. The window of a conversation may close meanwhile. */
function dataOf(outcome: CallOutcome): unknown {
  if (outcome.kind !== 'answered') return outcome.kind
  return outcome.rows.map(({ free_text_window_expires_at: _, ...row }) => row)
}

export const isolationRules: readonly Rule[] = [lists, ids, filters, positions, atOnce]
