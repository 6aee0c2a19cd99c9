// Checks what an empty list, and a query, say about ids that do not exist. A backend may say nothing, but what it says must be true.
import type { Operation } from '@clinic-data/contract'
import { scopesOf } from '@clinic-data/contract/analytics/check-query'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasets } from '@clinic-data/contract/analytics/datasets'
import type { Question } from '../clinic-under-test.ts'
import { type CallOutcome, inWords as outcomeInWords } from '../outcome.ts'
import { idOf } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'
import { spread } from '../subjects.ts'
import { UNKNOWN_IDS, withQuery } from './filter-rules.ts'
import { foreignIds } from './isolation-rules.ts'

interface FilteredById {
  operation: Operation
  /** A question that the clinic can answer. */
  subject: Question
  /** A filter by an id whose unknown values give an empty list. */
  name: string
}

async function* filteredById(trial: Trial): AsyncGenerator<FilteredById> {
  for (const operation of [...trial.reads('page'), ...trial.reads('bounded')]) {
    const [subject] = await trial.subjects.of(operation)
    const names = Object.entries(operation.unknownIds).flatMap(([name, answer]) => (answer === 'empty' ? name : []))
    if (subject) yield* names.map((name) => ({ operation, subject, name }))
  }
}

/** How many of the clinic's own ids are tried for each filter. */
const OWN_IDS = 5

const isTrue: Rule = {
  name: 'unknown-ids.true',
  protects:
    'A client that is told that a filter’s id does not exist may rely on it: the id is misspelled, not without rows.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, subject, name } of filteredById(trial)) {
      for (const id of UNKNOWN_IDS) {
        const reported = await reportedIds(
          trial,
          operation,
          withQuery(subject, { [name]: id }),
          `${name} alone, or nothing`,
          (ids) => ids.every((one) => one === name),
        )
        if (reported === null) trial.untried.add(`${operation.id}, ${name}: the backend does not tell unknown ids`)
      }
      const rows = await trial.subjects.rowsOf(name)
      for (const row of spread(rows, OWN_IDS)) {
        const question = withQuery(subject, { [name]: row.id })
        await reportedIds(
          trial,
          operation,
          question,
          `nothing about ${name}: the clinic has it`,
          (ids) => !ids.includes(name),
        )
      }
    }
  },
}

/** Holds what an answer says about unknown ids. Null when it says nothing. */
async function reportedIds(
  trial: Trial,
  operation: Operation,
  question: Question,
  expected: string,
  isRight: (ids: readonly string[]) => boolean,
): Promise<readonly string[] | null> {
  const outcome = await trial.clinic.known(operation, question)
  const reported = unknownIn(outcome)
  trial
    .saw(operation, question, `${outcomeInWords(outcome)} that calls these unknown: ${reported?.join(', ')}`)
    .expect(expected, reported === null || isRight(reported))
  return reported
}

function unknownIn(outcome: CallOutcome): readonly string[] | null {
  return outcome.kind === 'answered' ? outcome.unknown_ids : null
}

const foreign: Rule = {
  name: 'unknown-ids.foreign',
  protects: 'The id of another clinic is as unknown as any: no answer says that it exists there.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    for await (const { operation, subject, name } of filteredById(trial)) {
      const { ids, isCertain } = await foreignIds(trial, name)
      if (!isCertain) continue
      const [unknown = ''] = UNKNOWN_IDS
      const empty = await trial.clinic.known(operation, withQuery(subject, { [name]: unknown }))
      // Another rule finds a list that is not empty.
      if (empty.kind !== 'answered' || empty.rows.length > 0) continue
      const reported = empty.unknown_ids
      for (const id of ids) {
        const question = withQuery(subject, { [name]: id })
        const about = unknownIn(await trial.clinic.known(operation, question))
        trial
          .saw(
            operation,
            `${inWords(question)}, a ${name} of the second clinic`,
            about === null ? 'nothing about unknown ids' : `these called unknown: ${about.join(', ')}`,
          )
          .expect(
            reported === null ? 'nothing about unknown ids' : `these called unknown: ${reported.join(', ')}`,
            String(about) === String(reported),
          )
      }
    }
  },
}

interface Filtering {
  operation: Operation
  dataset: string
  filter: string
  /** The list that shows its ids. */
  kind: string
  with: (values: readonly string[]) => Question
}

/** A short time: what a filter names is no matter of days. */
const DAYS = ['2026-01-01', '2026-01-31']

/** The filters whose ids a list shows. The statuses of patients are in none. */
function kindOf(dataset: string, filter: string): string | null {
  const isListed = filter === 'branch' || filter === 'provider' || (filter === 'status' && dataset === 'appointments')
  return isListed ? `${filter}_id` : null
}

function filterings(trial: Trial): Filtering[] {
  const operation = trial.served('query.run')
  if (operation === undefined) return []
  const may = (scope: string) => trial.clinic.principal.scopes.includes(scope)
  return Object.values<Dataset>(datasets).flatMap(({ name: dataset, date_filter, measures, filters }) => {
    const measure = Object.keys(measures).find((one) => scopesOf({ dataset, measures: [one] }, may).every(may))
    if (measure === undefined) return []
    return Object.keys(filters).flatMap((filter) => {
      const kind = kindOf(dataset, filter)
      if (kind === null) return []
      const questionOf = (values: readonly string[]): Question => {
        const days = { field: date_filter, op: 'between', value: DAYS }
        return {
          body: { dataset, measures: [measure], filters: [days, { field: filter, op: 'in', value: values }] },
        }
      }
      return { operation, dataset, filter, kind, with: questionOf }
    })
  })
}

/** The ids that the answer calls unknown, or null when it says nothing. */
async function reportedBy(trial: Trial, { operation, with: questionOf }: Filtering, values: readonly string[]) {
  const outcome = await trial.clinic.known(operation, questionOf(values))
  return { reported: outcome.kind === 'answered' ? outcome.unknown_values : null, words: outcomeInWords(outcome) }
}

const isTrueOfQueries: Rule = {
  name: 'unknown-ids.of-queries',
  protects:
    'A client that is told that a query filters by no id may rely on it: the figures lack nothing but a mistake.',
  needs: ['clinic'],
  async check(trial) {
    const [unknown = ''] = UNKNOWN_IDS
    for (const filtering of filterings(trial)) {
      const { operation, dataset, filter, kind } = filtering
      const rows = await trial.subjects.rowsOf(kind)
      const own = spread(rows, OWN_IDS).flatMap((row) => idOf(row) ?? [])
      const { reported, words } = await reportedBy(trial, filtering, [unknown, ...own])
      if (reported === null) trial.untried.add(`${dataset}, ${filter}: the backend does not tell unknown ids`)
      const isRight = reported?.every((one) => one.filter === filter && one.values.every((value) => value === unknown))
      trial
        .saw(
          operation,
          `${dataset} by ${own.length} ids of ${filter} and one that nothing has`,
          `${words} that tells more`,
        )
        .expect('that one alone, or nothing', reported === null || isRight === true)
    }
  },
}

const foreignInQueries: Rule = {
  name: 'unknown-ids.foreign-in-queries',
  protects: 'The id of another clinic is as unknown to a query as any: no answer says that it exists there.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    const [unknown = ''] = UNKNOWN_IDS
    for (const filtering of filterings(trial)) {
      const { operation, dataset, filter, kind } = filtering
      const { ids, isCertain } = await foreignIds(trial, kind)
      if (!isCertain) continue
      const isReported = (await reportedBy(trial, filtering, [unknown])).reported !== null
      for (const id of ids) {
        const { reported } = await reportedBy(trial, filtering, [id])
        trial
          .saw(
            operation,
            `${dataset} by a ${filter} of the second clinic`,
            reported === null ? 'nothing about unknown ids' : 'something about unknown ids',
          )
          .expect(
            isReported ? 'that it is called unknown' : 'nothing about unknown ids',
            (reported !== null) === isReported,
          )
      }
    }
  },
}

export const unknownIdRules: readonly Rule[] = [isTrue, foreign, isTrueOfQueries, foreignInQueries]
