// A client that leaves in the middle of its wait causes no further question.
import assert from 'node:assert/strict'
import test from 'node:test'
import { untilRows } from '../src/calls/until-rows.ts'
import type { Input } from '../src/requests/read-input.ts'

test('a client that leaves while it waits gets its last answer, and the backend no further question', async () => {
  const gone = new AbortController()
  const answer = { data: [], next: null, resume: ['1'] }
  let calls = 0
  const ask = async () => {
    calls++
    setImmediate(() => gone.abort())
    return answer
  }
  const checkKey = () => assert.fail('nobody waits any more')
  const input = { params: {}, query: { limit: 25, after: null, wait: 30 } } as unknown as Input
  assert.equal(await untilRows(input, { signal: gone.signal, checkKey }, ask), answer)
  assert.equal(calls, 1)
})
