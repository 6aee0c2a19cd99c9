// A request has a deadline, and so has every page of the gateway itself.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { ask, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { mockedTime } from './mocked-time.ts'

const DEADLINE_MS = 2_000

test('a backend that does not answer costs a request no more than its deadline, and the next request nothing', async (t) => {
  const { pass } = mockedTime(t)
  let isStuck = false
  let calls = 0
  const stuck = () => {
    calls++
    return new Promise<never>(() => undefined)
  }
  const service = await startParts({
    deadlineMs: DEADLINE_MS,
    wrap: (backend) => ({
      ...backend,
      handlers: {
        ...backend.handlers,
        'patients.list': (...call) => (isStuck ? stuck() : backend.handlers['patients.list'](...call)),
      },
    }),
  })
  try {
    const { key } = await smallClinic(service)
    assert.equal((await ask(service, key, '/v1/patients?limit=1')).status, 200)
    isStuck = true
    const call = { name: 'patients_list', arguments: { limit: 4 } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
    const late = Promise.all([
      ...[1, 2, 3].map((limit) => ask(service, key, `/v1/patients?limit=${limit}`)),
      ask(service, key, '/mcp', { method: 'POST', body: message }),
    ])
    while (calls < 4) await setImmediate()
    pass(DEADLINE_MS - 1)
    assert.equal(await Promise.race([late, setImmediate('waiting')]), 'waiting')
    pass(DEADLINE_MS / 10)
    const answers = await Promise.race([late, delay(20_000, null, { ref: false })])
    assert.ok(answers, 'the deadline has passed')
    for (const { status, json, headers } of answers) {
      assert.equal(status, 503)
      assert.equal(json.detail, 'The answer took too long. Retry with exponential backoff.')
      assert.equal(headers['retry-after'], '1')
    }
    isStuck = false
    assert.equal((await ask(service, key, '/v1/patients?limit=1')).status, 200)
  } finally {
    pass(10 * DEADLINE_MS)
    await service.close()
  }
})
