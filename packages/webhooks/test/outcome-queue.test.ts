// Outcomes of attempts on their way to the database: how long they are retried, and what must not be lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claimed } from '../src/engine/claim.ts'
import type { DeliveryOutcome } from '../src/engine/complete.ts'
import { OutcomeQueue, type OutcomeQueueOptions } from '../src/engine/outcome-queue.ts'

/** Longer than a lease. */
const LONG = 500

const handedOver = (event_id: string): DeliveryOutcome => ({
  claimed: { clinic_id: 'c1', event_id } as Claimed,
  unstarted: true,
  handed_over: { event: { data: { id: 'a1' } }, started_at: new Date(), duration_ms: 1, response_status: 204 },
})

function opened(options: Partial<OutcomeQueueOptions>) {
  const seen = { recorded: [] as string[], stored: [] as string[], lost: [] as string[] }
  const names = (all: readonly { claimed: Claimed }[]) => all.map(({ claimed }) => claimed.event_id)
  const queue = new OutcomeQueue({
    record: async (handed) => void seen.recorded.push(...names(handed)),
    store: async (_, outcomes) => void seen.stored.push(...names(outcomes)),
    onFailure: () => undefined,
    onLost: (event_ids) => void seen.lost.push(...event_ids),
    pause: () => Promise.resolve(),
    ...options,
  })
  return { queue, seen, names }
}

test('what was handed over is put on record however long the log cannot be written', async () => {
  let failures = LONG
  const { queue, seen, names } = opened({
    record: async (handed) => {
      if (failures-- > 0) throw new Error('no room for audit rows')
      seen.recorded.push(...names(handed))
    },
  })
  queue.add(handedOver('e1'))
  queue.add({ claimed: { clinic_id: 'c1', event_id: 'e2' } as Claimed, unstarted: true })
  await queue.settled()
  assert.deepEqual(seen, { recorded: ['e1'], stored: ['e1'], lost: [] })
})

test('an outcome that is on record is given up after its lease, and recorded once', async () => {
  let tries = 0
  const { queue, seen } = opened({
    store: async () => {
      tries++
      throw new Error('the database is away')
    },
  })
  queue.add(handedOver('e1'))
  await queue.settled()
  assert.deepEqual(seen, { recorded: ['e1'], stored: [], lost: [] })
  assert.ok(tries > 1 && tries < LONG, `${tries} tries`)
})

test('a process that ends waits for the record as long as a lease, and says which events have none', async () => {
  const { queue, seen } = opened({ record: () => Promise.reject(new Error('the database is away')) })
  queue.add(handedOver('e1'))
  queue.end()
  await queue.settled()
  assert.deepEqual(seen, { recorded: [], stored: [], lost: ['e1'] })
})
