// Isolation: what belongs to one clinic is nothing to the key of another, by whatever way it is asked for.
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '@clinic-data/contract'
import { argumentName } from '@clinic-data/contract/names'
import type { Asked } from '../clinic-under-test.ts'
import { type Outcome, inWords as outcomeInWords } from '../outcome.ts'
import { idOf, named, type Row } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'
import { hasFile, sources, spread } from '../subjects.ts'
import { asked } from './filter-rules.ts'

/** Ids of the other clinic that are asked for. */
const FOREIGN_IDS = 6

/** Lists whose rows are of patients: no two clinics have the same row. Catalogs may well be alike. */
function personalLists(trial: Trial): Operation[] {
  return trial
    .reads('page')
    .filter(
      ({ id, path, query }) => !path.includes('{id}') && (id === 'patients.list' || 'patient_id' in query.properties),
    )
}

interface Foreign {
  /** Ids of a kind that the other clinic shows and this one does not. */
  ids: string[]
  /** This one shows all of its own, so that it cannot have these too. */
  isCertain: boolean
}

async function foreignIds(trial: Trial, kind: string, has: (row: Row) => boolean = () => true): Promise<Foreign> {
  const ours = new Set((await trial.subjects.rowsOf(kind)).map(idOf))
  const theirs = (await trial.other.subjects.rowsOf(kind)).filter(has)
  const ids = theirs.flatMap((row) => idOf(row) ?? []).filter((id) => !ours.has(id))
  return { ids: spread(ids, FOREIGN_IDS), isCertain: await trial.subjects.isWhole(kind) }
}

/**
 * Whether an answer to a question about the other clinic's id shows something of that clinic; null when it may be a row of
 * this clinic that has the same id.
 */
async function isLeaked(
  trial: Trial,
  operation: Operation,
  question: Asked,
  outcome: Outcome,
  isCertain: boolean,
): Promise<boolean | null> {
  if (outcome.kind === 'refused') return outcome.slug !== 'not-found'
  if (outcome.kind === 'unusable') return true
  if (outcome.rows.length === 0) return false
  if (isCertain) return true
  const theirs = await trial.other.clinic.known(operation, question)
  if (operation.shape === 'link' || theirs.kind !== 'answered') return null
  return outcome.rows.some((row) => theirs.rows.some((other) => isDeepStrictEqual(row, other))) || null
}

const lists: Rule = {
  name: 'isolation.lists',
  protects: 'No row of one clinic stands in a list of another.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of personalLists(trial)) {
      const [ours, theirs] = [await trial.clinic.list(operation), await trial.other.clinic.list(operation)]
      const byId = new Map(theirs.rows.map((row) => [idOf(row), row]))
      if (ours.rows.length === 0 || theirs.rows.length === 0)
        trial.untried.add(`${operation.id}: a clinic without rows`)
      else {
        const shared = ours.rows.find((row) => isDeepStrictEqual(byId.get(idOf(row)), row))
        trial.hold(shared === undefined, () => ({
          operation: operation.id,
          asked: 'by each of the two clinics',
          expected: 'no row that both are shown',
          came: `${named(shared)} in both, alike in every field`,
        }))
      }
    }
  },
}

const ids: Rule = {
  name: 'isolation.ids',
  protects:
    'The id of another clinic’s patient, visit, payment, call or message is not found: ids are the clinic’s own.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of trial.reads()) {
      const names = Object.keys(operation.params.properties)
      const [name] = names
      if (name === undefined || names.length > 1) continue
      const { ids, isCertain } = await foreignIds(trial, argumentName(operation, name), hasFile[operation.id])
      let tried = 0
      for (const id of ids) {
        const question = { params: { [name]: id } }
        const outcome = await trial.clinic.ask(operation, question)
        const leaked = isNotFound(outcome) ? false : await isLeaked(trial, operation, question, outcome, isCertain)
        // An empty list says that this clinic has such a patient.
        const isEmpty = outcome.kind === 'answered' && outcome.rows.length === 0
        if (leaked === null || (isEmpty && !isCertain)) continue
        tried += 1
        trial.hold(isNotFound(outcome), () => ({
          operation: operation.id,
          asked: `${inWords(question)}, an id of the second clinic`,
          expected: 'the problem not-found',
          came: outcomeInWords(outcome),
        }))
      }
      if (tried === 0) trial.untried.add(`${operation.id}: ${NO_FOREIGN_ID}`)
    }
  },
}

const NO_FOREIGN_ID = 'the second clinic shows no id that the first surely lacks'

function isNotFound(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.slug === 'not-found'
}

const filters: Rule = {
  name: 'isolation.filters',
  protects: 'A filter by another clinic’s id shows nothing, as one by an id that does not exist.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of [...trial.reads('page'), ...trial.reads('bounded')]) {
      const [subject] = await trial.subjects.of(operation)
      const names = Object.keys(operation.query.properties).filter((name) => name in sources)
      if (!subject) continue
      for (const name of names) {
        const { ids, isCertain } = await foreignIds(trial, name)
        let tried = 0
        for (const id of ids) {
          const question = asked(subject, { [name]: id })
          const outcome = await trial.clinic.ask(operation, question)
          const leaked = await isLeaked(trial, operation, question, outcome, isCertain)
          if (leaked === null) continue
          tried += 1
          trial.hold(!leaked, () => ({
            operation: operation.id,
            asked: `${inWords(question)}, an id of the second clinic`,
            expected:
              operation.id === 'availability.list' && name === 'branch_id' ? 'the problem not-found' : 'an empty list',
            came: outcomeInWords(outcome),
          }))
        }
        if (tried === 0) trial.untried.add(`${operation.id}, ${name}: ${NO_FOREIGN_ID}`)
      }
    }
  },
}

const positions: Rule = {
  name: 'isolation.positions',
  protects: 'A position of another clinic’s list leads to none of its rows.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for (const operation of personalLists(trial)) {
      const theirs = await trial.other.clinic.list(operation)
      const { pages } = await trial.other.clinic.walk(operation, {}, 2, 2)
      const byId = new Map(theirs.rows.map((row) => [idOf(row), row]))
      const after = pages[0]?.next
      if (!after) {
        trial.untried.add(`${operation.id}: the second clinic has no second page of 2 rows`)
        continue
      }
      const question: Asked = { limit: 100, after }
      const outcome = await trial.clinic.ask(operation, question)
      const rows = outcome.kind === 'answered' ? outcome.rows : []
      const leaked = rows.find((row) => isDeepStrictEqual(byId.get(idOf(row)), row))
      trial.hold(leaked === undefined, () => ({
        operation: operation.id,
        asked: `${inWords(question)} of the second clinic`,
        expected: 'none of its rows',
        came: `${named(leaked)} of the second clinic`,
      }))
    }
  },
}

/** Reads at once, half of them of each clinic. */
const AT_ONCE = 50
const ROUNDS = 4

const atOnce: Rule = {
  name: 'isolation.at-once',
  protects: 'Reads of two clinics at the same moment never mix: what one waits for is not answered to the other.',
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
      const asked = reads.flatMap(({ clinic, operation }) => (operation ? [{ clinic, operation }] : []))
      const alone: unknown[] = []
      for (const { clinic, operation } of asked) alone.push(dataOf(await clinic.known(operation, { limit: 10 })))
      const together = await Promise.all(asked.map(({ clinic, operation }) => clinic.ask(operation, { limit: 10 })))
      for (const [i, outcome] of together.entries()) {
        trial.hold(isDeepStrictEqual(dataOf(outcome), alone[i]), () => ({
          operation: asked[i]?.operation.id ?? '',
          asked: `limit=10, with ${AT_ONCE - 1} other reads of two clinics at the same moment`,
          expected: 'what the same question is answered when it is asked alone',
          came: outcome.kind === 'answered' ? 'another answer' : outcomeInWords(outcome),
        }))
      }
    }
  },
}

/** Ids and names do not change; a window of a conversation may close meanwhile. */
function dataOf(outcome: Outcome): unknown {
  if (outcome.kind !== 'answered') return outcome.kind
  return outcome.rows.map(({ free_text_window_expires_at: _, ...row }) => row)
}

export const isolationRules: readonly Rule[] = [lists, ids, filters, positions, atOnce]
