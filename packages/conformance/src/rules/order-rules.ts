// Orders: each list is in the order that the contract documents.
import type { ListOrder, Operation } from '@clinic-data/contract'
import type { Question } from '../clinic-under-test.ts'
import { changeOrder, orderOf, outOfOrder } from '../list-orders.ts'
import { rowInWords } from '../row.ts'
import type { Rule, Trial } from '../rule.ts'
import { withQuery } from './filter-rules.ts'

const documented: Rule = {
  name: 'order.documented',
  protects: 'The first page holds what a client expects there: the latest payments, the next appointments.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question } of trial.questions('page')) {
      const order = orderOf(operation)
      if (order) await expectOrder(trial, operation, question, order)
    }
  },
}

/** Earlier than any change. */
const ALWAYS = '2000-01-01T00:00:00Z'

const byChange: Rule = {
  name: 'order.changes',
  protects:
    'Under `updated_since` the oldest change comes first, so an interrupted client can continue from its last row.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question } of trial.questions('page')) {
      if ('updated_since' in operation.query.properties)
        await expectOrder(trial, operation, withQuery(question, { updated_since: ALWAYS }), changeOrder)
    }
  },
}

async function expectOrder(trial: Trial, operation: Operation, question: Question, order: ListOrder): Promise<void> {
  const { rows } = await trial.clinic.list(operation, question)
  if (rows.length < 2) return
  const wrong = outOfOrder(rows, order)
  const ties = order.by === 'id' ? '' : ', rows without it last, equal ones by id in the same direction'
  const expected = `rows by ${order.by}, ${order.direction}${ties}`
  trial.saw(operation, question, wrong ? `${rowInWords(wrong.row)} ${wrong.why}` : '').expect(expected, wrong === null)
}

export const orderRules: readonly Rule[] = [documented, byChange]
