// Outcomes of attempts on their way to the database: how long they are retried, and what must not be lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Claimed } from '../src/engine/claim.ts'
import type { DeliveryOutcome } from '../src/engine/complete.ts'
import { FLUSH } from '../src/engine/engine-limits.ts'
import { OutcomeQueue, type OutcomeQueueOptions } from '../src/engine/outcome-queue.ts'

/** Failures for longer than a lease, at one each half second. */
const LONG = 500

/** As long a pause takes a turn of the event loop. */
const TURN_MS = 100

const handedOver = (event_id: string, clinic_id = 'c1'): DeliveryOutcome => ({
  claimed: { clinic_id, subscription_id: 'w1', event_id } as Claimed,
  unstarted: true,
  handed_over: { event: { data: { id: 'a1' } }, started_at: new Date(), duration_ms: 1, response_status: 204 },
})

const away = () => Promise.reject(new Error('the database is away'))

function opened(options: Partial<OutcomeQueueOptions>) {
  const seen = { recorded: [] as string[], stored: [] as string[], lost: [] as string[] }
  const names = (all: readonly { claimed: Claimed }[]) => all.map(({ claimed }) => claimed.event_id)
  const deadline = new AbortController()
  let ms = 0
  const queue = new OutcomeQueue({
    record: async (handed) => void seen.recorded.push(...names(handed)),
    store: async (_, outcomes) => void seen.stored.push(...names(outcomes)),
    onFailure: () => undefined,
    onLost: (lost) => void seen.lost.push(...names(lost)),
    pause: async (pauseMs) => {
      ms += pauseMs
      for (let turn = 0; turn < pauseMs; turn += TURN_MS) await setImmediate()
    },
    elapsed: () => ms,
    deadline: deadline.signal,
    ...options,
  })
  return { queue, seen, names, deadline }
}

test('what was handed over is put on record however long the log cannot be written', async () => {
  let failures = LONG
  const failing = new Set<boolean>()
  const { queue, seen, names } = opened({
    record: async (handed) => {
      failing.add(queue.isFailing)
      if (failures-- > 0) throw new Error('no room for audit rows')
      seen.recorded.push(...names(handed))
    },
  })
  queue.add(handedOver('e1'))
  queue.add({ claimed: { clinic_id: 'c1', event_id: 'e2' } as Claimed, unstarted: true })
  await queue.settled()
  assert.deepEqual(seen, { recorded: ['e1'], stored: ['e1'], lost: [] })
  assert.deepEqual(
    [...failing, queue.isFailing],
    [false, true, false],
    'the log asks before it says that a failure has ended',
  )
})

test('an outcome that is on record is given up after its lease, and recorded once', async () => {
  let tries = 0
  const { queue, seen } = opened({
    store: () => {
      tries++
      return away()
    },
  })
  queue.add(handedOver('e1'))
  await queue.settled()
  assert.deepEqual(seen, { recorded: ['e1'], stored: [], lost: [] })
  assert.ok(tries > 1 && tries < LONG, `${tries} tries`)
})

test('at the deadline of a stop the events of every clinic that were handed over without a record are named, however few tries there were', async () => {
  const { queue, seen, deadline } = opened({
    record: () => {
      deadline.abort()
      return away()
    },
  })
  for (const clinic of ['c1', 'c2', 'c3']) queue.add(handedOver(`e-${clinic}`, clinic))
  await queue.settled()
  queue.add(handedOver('e-late'))
  await queue.settled()
  assert.deepEqual(seen, { recorded: [], stored: [], lost: ['e-c1', 'e-c2', 'e-c3', 'e-late'] })
})

test('a database that does not answer at all holds up no stop, and what waits behind its statement is named too', async () => {
  const asked = Promise.withResolvers<void>()
  const { queue, seen, deadline } = opened({
    record: () => {
      asked.resolve()
      return new Promise(() => undefined)
    },
  })
  queue.add(handedOver('e1'))
  const settled = queue.settled()
  await asked.promise
  queue.add(handedOver('e2'))
  deadline.abort()
  await settled
  assert.deepEqual(seen, { recorded: [], stored: [], lost: ['e1', 'e2'] })
})

test('what a database stores at the deadline is not lost', async () => {
  const { queue, seen, deadline } = opened({})
  deadline.abort()
  queue.add(handedOver('e1'))
  await queue.settled()
  assert.deepEqual(seen, { recorded: ['e1'], stored: ['e1'], lost: [] })
})

test('a stop waits for every outcome, though more wait than are stored together', async () => {
  const { queue, seen } = opened({})
  const events = Array.from({ length: 3 * FLUSH.rows }, (_, n) => `e${n}`)
  for (const event_id of events) queue.add(handedOver(event_id))
  await queue.settled()
  assert.deepEqual([seen.recorded, seen.stored], [events, events])
})
