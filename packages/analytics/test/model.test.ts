// Many queries over small clinics with random content. The program's statement agrees with plain loops over the rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { checkQuery } from '@clinic-data/contract/analytics/check-query'
import { ask } from '@clinic-data/testing/grounds/ask'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { modelAnswer } from './model-answer.ts'
import { modelClinic } from './model-clinic.ts'
import { modelQuery } from './model-query.ts'
import { localDay } from './model-record.ts'
import { storeModel } from './store-model.ts'

const { owner, app } = await testDatabase()
const now = new Date('2026-03-26T22:30:00Z')
const backend = createBackend({ database: app, now: () => now, log: failingLog })

const CLINICS = sized({ everyday: 2, long: 120 })
const QUERIES = sized({ everyday: 30, long: 50 })

test('every answer equals the result of plain loops over the rows', async () => {
  const cases = modelClinic.chain((model) =>
    fc.tuple(fc.constant(model), fc.array(modelQuery(model.first), { minLength: QUERIES, maxLength: QUERIES })),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ([model, queries]) => {
      const clinic = await storeModel(owner, app, model)
      const today = localDay(now.getTime(), model.time_zone) ?? ''
      for (const query of queries) {
        assert.deepEqual(
          checkQuery(query, () => true),
          [],
        )
        const { data } = await ask(backend, clinic, 'query.run', { body: query })
        const { rows, totals, truncated, group_count } = data
        assert.deepEqual(
          { rows, totals, truncated, group_count },
          modelAnswer(model, query, today),
          JSON.stringify(query),
        )
      }
    }),
    // The message names the query: shrinking it would take minutes.
    { numRuns: CLINICS, endOnFailure: true },
  )
})
