// Which requests count together: those of one key of one clinic, by that key's own limit. And how a key is given.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { allScopes, type Backend, type Principal } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import Fastify, { type FastifyRequest } from 'fastify'
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
    app.get(`/${n}`, async (request, reply) => {
      await admit(edge, asker, request, reply)
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

test('what a flood of unknown keys has no room for is refused at different times, and a known key goes past it', async () => {
  const key = makeKey()
  let isHanging = false
  const backend = {
    authenticate: async (hash: string) => {
      if (hash === hashKey(key)) return principal('one', 'k1')
      return isHanging ? new Promise(() => undefined) : null
    },
  } as unknown as Backend
  const pauses: { ms: number; end: () => void }[] = []
  const pause = (ms: number) => new Promise<void>((end) => void pauses.push({ ms, end }))
  const authentication = new Authentication({
    backend,
    now: Date.now,
    failedAttempts: new FailedAttempts(),
    pause,
    clientAddress: new ClientAddress([]),
    metrics: new GatewayMetrics(),
  })
  const request = (key: string) =>
    ({
      headers: { authorization: `Bearer ${key}` },
      raw: { headers: {}, socket: { remoteAddress: '192.0.2.1' } },
    }) as unknown as FastifyRequest
  const guess = async () => authentication.identify(request(makeKey()))
  await authentication.identify(request(key))
  for (let n = 0; n < 60; n++) await assert.rejects(guess)
  isHanging = true
  let refused = 0
  for (let n = 0; n < 200; n++) {
    void guess().catch((error) => {
      assert.equal(problemOf(error).status, 503)
      refused++
    })
  }
  await nextTurn()
  assert.ok(pauses.length > 150, `${pauses.length} of 200 found no room`)
  assert.equal(refused, 0)
  assert.ok(new Set(pauses.map(({ ms }) => Math.floor(ms / 100))).size > 5, 'spread over a second')
  assert.ok(pauses.every(({ ms }) => ms >= 0 && ms < 1_000))
  assert.equal((await authentication.identify(request(key))).key_id, 'k1')
  const paused = pauses.splice(0)
  for (const { end } of paused) end()
  await nextTurn()
  assert.equal(refused, paused.length)
})

test('the word Bearer counts in any case, and nothing stands before it', async () => {
  const key = makeKey()
  const backend = {
    authenticate: async (hash: string) => (hash === hashKey(key) ? principal('one', 'k1') : null),
  } as unknown as Backend
  const authentication = new Authentication({
    backend,
    now: Date.now,
    failedAttempts: new FailedAttempts(),
    clientAddress: new ClientAddress([]),
    metrics: new GatewayMetrics(),
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
