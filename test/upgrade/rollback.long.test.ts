// Upgrade and rollback: the program from before the newest migrations fills a database, today's migrations run beside it, and then that
// program still writes and reads, and today's goes on after it. So a service can be upgraded machine by machine, put back, and upgraded again.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as schema from '@clinic-data/backend/migrations'
import { sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import {
  assertChainSound,
  assertWhole,
  clinicWithoutKey,
  writeThroughCrashes,
} from '@clinic-data/testing/grounds/crash-load'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { commitBefore, FORMER_SCOPES, formerProgram, NO_HISTORY, RELEASED } from './former-program.ts'

const run = promisify(execFile)
const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
/** The oldest migration that the oldest of them does not know. It follows `RUNS_ON_ITS_TABLES`. */
const FIRST_NEW =
  schema.migrations.find(({ id }) => id > schema.RUNS_ON_ITS_TABLES)?.id ?? assert.fail('no version may come back')
const VERSIONS = { 'the oldest version that may come back': commitBefore(FIRST_NEW), ...RELEASED }

/** A program whose event loop is late sheds. A table that is held tells something else. */
const OF_A_BUSY_MACHINE = /^503 The service is overloaded\./
/** A program that has just started on a busy machine answers 503 at first, and clients ask again. */
const ASKED_AT_MOST = 5

/** Clients repeat a request that fails. Without a limit they would do so for ever. */
const timeout = 600_000

for (const [version, commit] of Object.entries(VERSIONS)) {
  test(`${version} goes on writing and reading while and after the tables are migrated`, { timeout }, async (t) => {
    const former = await formerProgram(commit)
    if (former === null) return t.skip(NO_HISTORY)
    const before = schema.migrations.filter(({ id }) => former.migrations.has(id))
    const base = await ownGround({ migrations: before, tables: [] })
    const { rows: citus } = await base.owner.query(sql`select from pg_extension where extname = 'citus'`)
    // A cluster of the former version must be distributed by that version: its tables here are plain.
    if (citus.length > 0) return t.skip('the tables of the former version are not distributed here')
    const environment = { DATABASE_URL: base.url, DATA_DIR: former.folder, SECRET_KEYS }
    const service = await startClinicd([], environment, former.program)
    const { rows: applied } = await base.owner.query<{ id: string }>(sql`select id from schema_migration order by id`)
    assert.deepEqual(
      applied.map(({ id }) => id),
      before.map(({ id }) => id),
      'the former program has the former tables',
    )

    const clinic_id = await clinicWithoutKey(base.owner)
    const mint = ['keys', 'mint', '--clinic', clinic_id, '--scopes', FORMER_SCOPES, '--rate', '1000000']
    const { stdout } = await run(process.execPath, [former.program, ...mint], {
      env: { PATH: process.env.PATH, ...environment },
    })
    const key = stdout.trim()
    const answers = await writeThroughCrashes({
      address: async () => service.address,
      key,
      rounds: 1,
      kill: async () => {
        await migrate(base.owner, schema.migrations, { tables: schema.tables, log: () => undefined })
      },
    })
    const refused = [...answers.refused].filter(([told]) => !OF_A_BUSY_MACHINE.test(told))
    assert.deepEqual(refused, [], 'the migrations kept nobody from the tables')
    await assertWhole(base.owner, clinic_id, answers)
    const assertServed = async (address: string) => {
      const headers = { authorization: `Bearer ${key}` }
      for (const path of ['/v1/patients', '/v1/events', '/v1/webhooks', '/v1/patients/p', '/v1/me']) {
        let answer = await fetch(`${address}${path}`, { headers })
        for (let asked = 1; answer.status === 503 && asked < ASKED_AT_MOST; asked++) {
          await delay(Number(answer.headers.get('retry-after')) * 1000)
          answer = await fetch(`${address}${path}`, { headers })
        }
        assert.equal(answer.status, 200, `${path}: ${await answer.text()}`)
      }
    }
    await assertServed(service.address)
    assert.equal(await service.end('SIGTERM'), 0)

    // A rollback: it starts on the migrated tables.
    const again = await startClinicd([], environment, former.program)
    await assertServed(again.address)
    assert.equal(await again.end('SIGTERM'), 0)
    // Forward again.
    const today = await startClinicd([], environment)
    await assertServed(today.address)
    assert.equal(await today.end('SIGTERM'), 0)
    // The former version wrote into a chain that today's verifies.
    await assertChainSound(base, clinic_id, SECRET_KEYS)
  })
}

for (const [version, commit] of Object.entries(RELEASED)) {
  test(`a machine with the embedded database is upgraded from ${version}, put back and upgraded again, and keeps every lead`, {
    timeout,
  }, async (t) => {
    const former = await formerProgram(commit)
    if (former === null) return t.skip(NO_HISTORY)
    const environment = { DATA_DIR: join(former.folder, 'data'), SECRET_KEYS }
    const command = async (...argv: string[]) =>
      (await run(process.execPath, [former.program, ...argv], { env: { PATH: process.env.PATH, ...environment } }))
        .stdout
    let key = ''
    const stored = new Map<string, string>()
    /** The program of one version serves what all before it stored, and stores one more. */
    const serveWith = async (program?: string) => {
      const service = await startClinicd([], environment, program)
      if (key === '') {
        await command('clinics', 'create', '--id', 'springfield', '--name', 'Springfield Clinic')
        key = (await command('keys', 'mint', '--clinic', 'springfield', '--scopes', FORMER_SCOPES)).trim()
      }
      const idOf = async (external_id: string) => {
        const answer = await fetch(`${service.address}/v1/leads`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            first_name: 'Dana',
            email: `${external_id}@clinic.example`,
            source: 'website',
            external_id,
          }),
        })
        const text = await answer.text()
        assert.ok(answer.ok, text)
        return JSON.parse(text).data.id
      }
      // A lead that is sent again is answered with the one that is stored.
      for (const [external_id, id] of stored) assert.equal(await idOf(external_id), id)
      const external_id = `lead-${stored.size}`
      stored.set(external_id, await idOf(external_id))
      assert.equal(await service.end('SIGTERM'), 0)
    }
    for (const program of [former.program, undefined, former.program, undefined]) await serveWith(program)
    assert.equal(new Set(stored.values()).size, 4)
  })
}
