// Orders: each list is in the order that the contract documents.
import type { ListOrder } from '@clinic-data/contract'
import { changeOrder, orderOf, outOfOrder } from '../list-orders.ts'
import { type Row, rowInWords } from '../row.ts'
import { type Finding, inWords, type Rule } from '../rule.ts'

const documented: Rule = {
  name: 'order.documented',
  protects: 'The first page holds what a client expects there: the latest payments, the next appointments.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of trial.reads('page')) {
      const order = orderOf(operation)
      if (!order) continue
      for (const question of await trial.subjects.of(operation)) {
        const { rows } = await trial.clinic.list(operation, question)
        if (rows.length > 1)
          trial.hold(outOfOrder(rows, order) === null, () => finding(operation.id, inWords(question), rows, order))
      }
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
    for (const operation of trial.reads('page')) {
      if (!('updated_since' in operation.query.properties)) continue
      for (const subject of await trial.subjects.of(operation)) {
        const question = { ...subject, query: { ...subject.query, updated_since: ALWAYS } }
        const { rows } = await trial.clinic.list(operation, question)
        if (rows.length > 1)
          trial.hold(outOfOrder(rows, changeOrder) === null, () =>
            finding(operation.id, inWords(question), rows, changeOrder),
          )
      }
    }
  },
}

function finding(operation: string, words: string, rows: readonly Row[], order: ListOrder): Finding {
  const wrong = outOfOrder(rows, order)
  const ties = order.by === 'id' ? '' : ', rows without it last, equal ones by id in the same direction'
  return {
    operation,
    asked: words,
    expected: `rows by ${order.by}, ${order.direction}${ties}`,
    came: wrong ? `${rowInWords(wrong.row)} ${wrong.why}` : '',
  }
}

export const orderRules: readonly Rule[] = [documented, byChange]
