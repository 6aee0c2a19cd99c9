// The questions with a name that the console offers are ones that the service answers: by the contract's own checks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkQuery } from '@clinic-data/contract/analytics/check-query'
import { datasetOf } from '@clinic-data/contract/analytics/datasets'
import { bodyOf } from '../src/explore/question.ts'
import { STARTS, startingQuestion } from '../src/explore/starting-questions.ts'

test('every question that clinics ask can be answered, on every day of a year', () => {
  for (const name of STARTS) {
    for (const today of ['2026-01-01', '2026-03-31', '2026-07-12', '2026-12-31', '2028-02-29']) {
      const question = startingQuestion(name, today)
      const dataset = datasetOf(question.dataset, () => true) ?? assert.fail(`${name} has no subject`)
      const body = bodyOf(question, dataset.date_filter)
      assert.deepEqual(
        checkQuery(body, () => true),
        [],
        name,
      )
      assert.ok(question.measures.length > 0 && question.by.length > 0, name)
      assert.equal(question.from < question.to && question.to <= today, true, `${name} on ${today}`)
    }
  }
})
