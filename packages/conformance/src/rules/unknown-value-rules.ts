// Checks what a query says about values of its filters that are no ids. A backend may say nothing, but what it says must be true.
import type { Operation } from '@clinic-data/contract'
import { scopesOf } from '@clinic-data/contract/analytics/check-query'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasets } from '@clinic-data/contract/analytics/datasets'
import type { Question } from '../clinic-under-test.ts'
import { inWords } from '../outcome.ts'
import { idOf } from '../row.ts'
import type { Rule, Trial } from '../rule.ts'
import { spread } from '../subjects.ts'
import { UNKNOWN_IDS } from './filter-rules.ts'
import { foreignIds } from './isolation-rules.ts'

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
      const asked = (values: readonly string[]): Question => {
        const days = { field: date_filter, op: 'between', value: DAYS }
        return {
          body: { dataset, measures: [measure], filters: [days, { field: filter, op: 'in', value: values }] },
        }
      }
      return { operation, dataset, filter, kind, with: asked }
    })
  })
}

/** How many ids of the clinic are asked for together. */
const OWN_IDS = 5

/** What the answer calls ids of nothing: null when it says nothing. */
async function toldBy(trial: Trial, { operation, with: asked }: Filtering, values: readonly string[]) {
  const outcome = await trial.clinic.known(operation, asked(values))
  return { told: outcome.kind === 'answered' ? outcome.unknown_values : null, words: inWords(outcome) }
}

const isTrue: Rule = {
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
      const { told, words } = await toldBy(trial, filtering, [unknown, ...own])
      if (told === null) trial.untried.add(`${dataset}, ${filter}: the backend does not tell unknown ids`)
      const isRight = told?.every((one) => one.filter === filter && one.values.every((value) => value === unknown))
      trial
        .saw(
          operation,
          `${dataset} by ${own.length} ids of ${filter} and one that nothing has`,
          `${words} that tells more`,
        )
        .expect('that one told alone, or nothing', told === null || isRight === true)
    }
  },
}

const foreign: Rule = {
  name: 'unknown-ids.foreign-in-queries',
  protects: 'The id of another clinic is as unknown to a query as any: no answer says that it exists there.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    const [unknown = ''] = UNKNOWN_IDS
    for (const filtering of filterings(trial)) {
      const { operation, dataset, filter, kind } = filtering
      const { ids, isCertain } = await foreignIds(trial, kind)
      if (!isCertain) continue
      const isTold = (await toldBy(trial, filtering, [unknown])).told !== null
      for (const id of ids) {
        const { told } = await toldBy(trial, filtering, [id])
        trial
          .saw(
            operation,
            `${dataset} by a ${filter} of the second clinic`,
            told === null ? 'nothing about unknown ids' : 'something about unknown ids',
          )
          .expect(isTold ? 'that it is told as unknown' : 'nothing about unknown ids', (told !== null) === isTold)
      }
    }
  },
}

export const unknownValueRules: readonly Rule[] = [isTrue, foreign]
