// Operations on another listener than the public one: how they end.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Backend } from '@clinic-data/contract'
import { operations } from '@clinic-data/contract/operations'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import fastify from 'fastify'
import { operationRoutes } from '../src/operation-routes.ts'
import type { Log } from '../src/telemetry/log.ts'

const clinic = {
  clinic_id: 'c1',
  time_zone: 'Asia/Jerusalem',
  country: 'IL',
  currency: 'ILS',
  week_start: 0,
  min_visit_minutes: 15,
} as const

test('the routes close after the last audit rows are stored', async () => {
  const steps: string[] = []
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const routes = operationRoutes({
    operations: [operations['webhooks.list']],
    backend: { handlers: { 'webhooks.list': async () => ({ data: [] }) } } as unknown as Backend,
    identification: {
      identify: () => ({ key_id: 'noa', clinic, scopes: ['webhooks:manage'], rate_limit: null, expires_at: null }),
      addressOf: () => '192.0.2.1',
    },
    storeAudit: async () => {
      asked.resolve()
      await held.promise
      steps.push('stored')
    },
    rate: { requests: 600, seconds: 60 },
    baseUrl: 'https://api.clinic.example',
    secretKeys: newSecretKeys(),
    allowances: { allowsLoopbackHttp: false },
    log: failingLog as unknown as Log,
  })
  const app = fastify()
  after(() => app.close())
  await app.register(routes.plugin)
  const answer = app.inject({ url: '/v1/webhooks' })
  await asked.promise
  const closed = routes.close().then(() => steps.push('closed'))
  await setImmediate()
  held.resolve()
  await closed
  assert.deepEqual(steps, ['stored', 'closed'])
  assert.equal((await answer).statusCode, 200)
})
