// The settings of our connections hold where a statement runs: on a cluster that is a worker, which no connection of ours greets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Transaction, utcSession } from '@clinic-data/database'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'

const { owner, app } = await testDatabase()
const clinic = await testClinic(owner)
const session = utcSession(clinic.clinic_id)
const { clinic_id } = clinic

// A row of a distributed table, which also a dispatcher sees.
await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
  values (${clinic_id}, 's', 'https://receiver.example', '{}', 'secret', 'cret', now())`)
await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, 's')`)

const asked = sql`select current_setting('jit') as jit, current_setting('work_mem') as work_mem,
  current_setting('random_page_cost') as random_page_cost from lane where clinic_id = ${clinic_id}`

const inTransaction = async (tx: Transaction) => (await tx.query(asked)).rows

test('no statement of a transaction waits for its plan to be compiled, wherever it runs', async () => {
  const ways = {
    read: () => app.read(session, asked),
    write: () => app.write(session, inTransaction),
    scan: async () => (await app.scan(session, asked, 5_000)).rows,
    maintain: () => owner.maintain(inTransaction),
    readAsDispatcher: () => owner.readAsDispatcher(asked),
    maintainAsDispatcher: () => owner.maintainAsDispatcher(inTransaction),
  }
  for (const [way, run] of Object.entries(ways)) {
    const rows = await run()
    assert.deepEqual(
      rows.map(({ jit }) => jit),
      ['off'],
      way,
    )
  }
})

test('a scan has its memory and prefers indexes, wherever it runs', async () => {
  const { rows } = await app.scan(session, asked, 5_000)
  assert.deepEqual(rows, [{ jit: 'off', work_mem: '32MB', random_page_cost: '1.1' }])
})
