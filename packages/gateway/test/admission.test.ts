// Which requests count together: those of one key of one clinic, by that key's own limit. And how a key is given.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allScopes, type Backend, type Principal } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import Fastify from 'fastify'
import { problemOf } from '../src/answers/problem-response.ts'
import { Authentication } from '../src/authentication/authentication.ts'
import { admit, type Edge } from '../src/calls/edge.ts'
import { ClientAddress } from '../src/connections/client-address.ts'
import { FailedAttempts } from '../src/limits/failed-attempts.ts'
import { MemoryRateLimit } from '../src/limits/rate-limit.ts'
import { GatewayMetrics } from '../src/telemetry/metrics.ts'

function principal(clinic_id: string, key_id: string, rate_limit: number | null = null): Principal {
  const facts = { time_zone: 'UTC', country: 'IL', currency: 'ILS', week_start: 0, min_visit_minutes: 15 } as const
  return { key_id, clinic: { clinic_id, ...facts }, scopes: allScopes, rate_limit, expires_at: null }
}

/** @returns asks as each of them in turn, and tells the statuses. */
async function asking(requests: number, askers: readonly Principal[]) {
  const edge = { rateLimit: new MemoryRateLimit(), rate: { requests, seconds: 60 } } as unknown as Edge
  const app = Fastify()
  app.setErrorHandler((error, _, reply) => reply.code(problemOf(error).status).send())
  for (const [n, asker] of askers.entries()) {
    app.get(`/${n}`, async (_, reply) => {
      await admit(edge, asker, reply)
      return reply.code(204).send()
    })
  }
  const statuses: number[] = []
  for (const n of askers.keys()) statuses.push((await app.inject(`/${n}`)).statusCode)
  return statuses
}

test('two clinics whose keys have the same id do not share a limit', async () => {
  const askers = [principal('one', 'k1'), principal('other', 'k1'), principal('one', 'k1')]
  assert.deepEqual(await asking(1, askers), [204, 204, 429])
})

test('the limit of a key goes before that of the installation', async () => {
  const [small, large] = [principal('one', 'small', 1), principal('one', 'large', 3)]
  assert.deepEqual(await asking(2, [small, small, large, large, large, large]), [204, 429, 204, 204, 204, 429])
})

test('the word Bearer counts in any case, and nothing stands before it', async () => {
  const key = makeKey()
  const backend = {
    authenticate: async (hash: string) => (hash === hashKey(key) ? principal('one', 'k1') : null),
  } as unknown as Backend
  const authentication = new Authentication({
    ...{ backend, now: Date.now, failedAttempts: new FailedAttempts() },
    ...{ clientAddress: new ClientAddress([]), metrics: new GatewayMetrics() },
  })
  const app = Fastify()
  app.setErrorHandler((error, _, reply) => reply.code(problemOf(error).status).send())
  app.get('/', async (request) => (await authentication.identify(request)).key_id)
  const statusOf = async (authorization: string) =>
    (await app.inject({ url: '/', headers: { authorization } })).statusCode
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) assert.equal(await statusOf(`${scheme} ${key}`), 200, scheme)
  for (const header of [key, `Basic ${key}`, `x Bearer ${key}`, `Bearer  ${key}`, `Bearer ${key} x`])
    assert.equal(await statusOf(header), 401)
})
