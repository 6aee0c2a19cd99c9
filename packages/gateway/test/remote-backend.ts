// The base of the remote backend's tests: a vendor's backend behind a proxy that fails on command, and calls to it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import {
  type CallContext,
  Grant,
  type HandlerInput,
  type OperationId,
  type Operations,
  operations,
  type Principal,
  Problem,
  type ProblemSlug,
} from '@clinic-data/contract'
import { faultProxy } from '@clinic-data/testing/receivers/fault-proxy'
import { httpBackend } from '../src/http-backend/http-backend.ts'
import type { SharedSettings } from '../src/http-backend/shared-settings.ts'
import { type Answer, vendorBackend } from './vendor-backend.ts'

/** A text from a backend's inside, or about a patient. */
export const LEAK = 'only-for-inside'

export const principal: Principal = {
  key_id: 'key_1',
  clinic: {
    clinic_id: 'north',
    time_zone: 'Asia/Jerusalem',
    country: 'IL',
    currency: 'ILS',
    week_start: 0,
    min_visit_minutes: 15,
  },
  scopes: ['patients:read', 'calls:read', 'availability:read'],
  rate_limit: null,
  expires_at: null,
}

export const patient = { id: 'p1', first_name: LEAK }

export const input = {
  params: { id: 'p1' },
  query: { response_format: 'concise', limit: 25, after: null },
  body: undefined,
  idempotency_key: null,
}

export async function setUp(
  t: TestContext,
  options: { connections?: number; waiting?: number; path?: string; shared?: SharedSettings } = {},
) {
  const { path = '', ...limits } = options
  const vendor = await vendorBackend()
  const proxy = await faultProxy(vendor.port)
  const token = randomBytes(24).toString('hex')
  const logged: string[] = []
  const log = {
    warn: (_: object, line: string) => logged.push(line),
    info: (_: object, line: string) => logged.push(line),
  }
  const backend = httpBackend({
    urls: [`http://127.0.0.1:${proxy.port}${path}`],
    token,
    log: log as never,
    breakMs: 60_000,
    ...limits,
  })
  t.after(async () => {
    await proxy.close()
    await vendor.close()
    await backend.close()
  })
  return { vendor, proxy, backend, token, logged }
}

export type SetUp = Awaited<ReturnType<typeof setUp>>

/** Longer than the slowest machine takes for any of them, unless a test is about the deadline. */
export const context = (ms = 60_000): CallContext => ({ request_id: 'req_1', deadline: performance.now() + ms })

export function getPatient({ backend }: Pick<SetUp, 'backend'>, within = context()) {
  return backend.handlers['patients.get'](
    Grant.authorize(principal, operations['patients.get']),
    input as unknown as HandlerInput<Operations['patients.get']>,
    within,
  )
}

export function call({ backend }: SetUp, id: OperationId) {
  const handler = backend.handlers[id as 'patients.get']
  const grant = Grant.authorize({ ...principal, scopes: [operations[id].scope ?? 'patients:read'] }, operations[id])
  return handler(grant, input as unknown as HandlerInput<Operations['patients.get']>, context())
}

/** A problem that holds nothing of the backend's text, not even in its cause, and in public nothing of the network. */
export function problem(slug: ProblemSlug) {
  return (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.slug, slug)
    const text = JSON.stringify([error.message, error.members])
    for (const word of ['127.0.0.1', 'ECONN', 'UND_ERR', 'HPE_']) assert.ok(!text.includes(word), text)
    assert.ok(!inspect(error, { depth: 10 }).includes(LEAK))
    if (slug === 'service-unavailable') assert.ok((error.members.retry_after ?? 0) >= 1)
    return true
  }
}

export const ok: Answer = { status: 200, body: { data: patient } }
