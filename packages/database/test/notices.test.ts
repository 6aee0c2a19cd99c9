// Notices between processes. A listener receives them again after its connection was cut.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase, sql } from '../src/database.ts'

const url = process.env.TEST_DATABASE_URL ?? ''
const teller = await openDatabase({ url })
const hearer = await openDatabase({ url })
after(async () => {
  await hearer.close()
  await teller.close()
})

/** Repeats until it is heard: a listener that was just opened or reopened may not hear yet. */
async function toldUntilHeard(payload: string, heard: Set<string>): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!heard.has(payload)) {
    assert.ok(performance.now() < deadline, 'the notice was not heard')
    await teller.notify('test_notices', payload)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('the other process receives a notice, even after its connection was cut', async () => {
  const heard = new Set<string>()
  hearer.listen('test_notices', (payload) => heard.add(payload))
  await toldUntilHeard('first', heard)
  await teller.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query = 'listen test_notices' and pid <> pg_backend_pid()`)
  await toldUntilHeard('second', heard)
})
