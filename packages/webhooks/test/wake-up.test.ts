// Notices of due deliveries: the first leaves at once, and a burst needs few of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '@clinic-data/database'
import { WakeUp } from '../src/wake-up.ts'

/** Keeps the notices instead of sending them. */
class Silent extends Database {
  readonly notices: string[] = []

  override async notify(_channel: string, payload: string): Promise<void> {
    this.notices.push(payload)
  }
}

test('the first notice leaves at once, and those of the next ten milliseconds share one', async (t) => {
  const database = new Silent({ url: 'postgres://127.0.0.1:1/none' })
  t.after(() => database.close())
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const wakeUp = new WakeUp(database)
  wakeUp.tell('a')
  assert.deepEqual(database.notices, ['a'])
  for (const clinic of ['b', 'c', 'b']) wakeUp.tell(clinic)
  t.mock.timers.tick(9)
  assert.deepEqual(database.notices, ['a'])
  t.mock.timers.tick(1)
  assert.deepEqual(database.notices, ['a', 'b c'])
  t.mock.timers.tick(100)
  wakeUp.tell('a')
  assert.deepEqual(database.notices, ['a', 'b c', 'a'])
})
