// Whether a call that may have arrived is sent again is decided by its operation alone: only what reads is.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations, type OperationId } from '@clinic-data/contract'
import { call, setUp } from './remote-backend.ts'

test('no operation that writes is sent again after an answer that did not come, and a read is', async (t) => {
  for (const { id, effect } of allOperations) {
    if (effect === 'none' && id !== 'patients.list') continue
    const at = await setUp(t)
    at.vendor.answer = () => ({ status: 503 })
    await assert.rejects(call(at, id as OperationId))
    assert.equal(at.vendor.received.length, effect === 'none' ? 2 : 1, id)
  }
})
