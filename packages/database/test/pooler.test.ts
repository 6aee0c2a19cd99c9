// A pooler that keeps sessions is used. One that does not, or that takes the settings away from connections, is refused when the database is
// opened, in one line.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { noPooler, startPooler } from '@clinic-data/testing/programs/pooler'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { until } from '@clinic-data/testing/until'
import { Client } from 'pg'
import { connector } from '../src/connections/connect.ts'
import { openDatabase, sql } from '../src/database.ts'

const { ownerUrl } = await testDatabase()
const skip = noPooler

/** @returns the address of the database through a pooler. */
async function pooled(t: TestContext, settings: readonly string[]): Promise<string> {
  const [url] = await startPooler(t, [ownerUrl], settings)
  return url ?? assert.fail()
}

for (const mode of ['session', 'transaction', 'statement']) {
  test(`a pooler in ${mode} mode that drops the settings is named`, { skip }, async (t) => {
    const dropping = await pooled(t, [`pool_mode = ${mode}`, 'ignore_startup_parameters = options'])
    await assert.rejects(openDatabase({ url: dropping }), {
      message: /^the database drops the settings of connections: a pooler such as PgBouncer stands between/,
    })
  })
}

test('a pooler in session mode is used, with the settings and the notices of each connection', { skip }, async (t) => {
  const url = await pooled(t, ['pool_mode = session', 'default_pool_size = 40'])
  const database = await openDatabase({ url, statementTimeoutMs: 4_321 })
  t.after(() => database.close())
  const { rows } = await database.query(
    sql`select current_setting('statement_timeout') as statement, current_setting('jit') as jit, current_setting('timezone') as zone`,
  )
  assert.deepEqual(rows, [{ statement: '4321ms', jit: 'off', zone: 'UTC' }])
  const { promise: heard, resolve } = Promise.withResolvers<string>()
  database.listen('heard_by_pooled', resolve)
  // The connection of the listener may come after the first notice.
  const notices = setInterval(() => void database.notify('heard_by_pooled', 'a notice').catch(() => undefined), 50)
  assert.equal(await heard.finally(() => clearInterval(notices)), 'a notice')
})

for (const settings of [
  ['pool_mode = transaction'],
  ['pool_mode = transaction', 'server_round_robin = 1'],
  ['pool_mode = statement'],
]) {
  test(`a pooler that shares sessions is refused: ${settings.join(', ')}`, { skip }, async (t) => {
    const url = await pooled(t, settings)
    await assert.rejects(openDatabase({ url }), {
      message:
        /^the database is unavailable: the database gives a connection another session for each transaction: a pooler such as PgBouncer stands between; .*session mode/,
    })
  })
}

test('a primary behind a pooler is not taken for a standby', { skip }, async (t) => {
  const url = await pooled(t, ['pool_mode = session'])
  await assert.rejects(
    connector({ url, role: 'standby', statementTimeoutMs: 0, onError: () => undefined })({ pipeline: false }),
    {
      message: /the server is not a standby/,
    },
  )
})

test('a pooler without a place for the second connection keeps none of the first', { skip }, async (t) => {
  const url = await pooled(t, ['pool_mode = session', 'max_client_conn = 1'])
  const connect = connector({ url, statementTimeoutMs: 0, onError: () => undefined })
  await assert.rejects(connect({ pipeline: false }), /no more connections allowed/)
  const isFree = async () => {
    const client = new Client(url).on('error', () => undefined)
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }
  await until(isFree, () => 'the place is taken', 5_000)
})
