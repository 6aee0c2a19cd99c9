// A request has a deadline, and so has every page of the gateway itself.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ask, smallClinic, startParts } from '@clinic-data/testing/test-service'

/** Longer than a first request takes on a loaded machine or on a cluster. */
const DEADLINE_MS = 2_000

test('a backend that does not answer costs a request no more than its deadline, and the next request nothing', async () => {
  let isStuck = false
  const stuck = new Promise<never>(() => undefined)
  const service = await startParts({
    deadlineMs: DEADLINE_MS,
    wrap: (backend) => ({
      ...backend,
      handlers: {
        ...backend.handlers,
        'patients.list': (...call) => (isStuck ? stuck : backend.handlers['patients.list'](...call)),
      },
    }),
  })
  try {
    const { key } = await smallClinic(service)
    assert.equal((await ask(service, key, '/v1/patients?limit=1')).status, 200)
    isStuck = true
    const startedAt = performance.now()
    const late = await Promise.all([1, 2, 3].map((limit) => ask(service, key, `/v1/patients?limit=${limit}`)))
    const took = performance.now() - startedAt
    for (const { status, json, headers } of late) {
      assert.equal(status, 503)
      assert.equal(json.detail, 'The answer took too long. Retry with exponential backoff.')
      assert.equal(headers['retry-after'], '1')
    }
    assert.ok(took >= DEADLINE_MS, `${took} ms`)
    isStuck = false
    assert.equal((await ask(service, key, '/v1/patients?limit=1')).status, 200)
  } finally {
    await service.close()
  }
})
