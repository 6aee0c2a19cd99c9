// A cluster takes fewer statements once its tables are distributed: the migrations since the release before must be among them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { migrations, tables } from '../src/migrations.ts'

/** The newest of 0.2.0. */
const RELEASED = '0047_clinic_columns'

const former = migrations.filter(({ id }) => id <= RELEASED)
const { owner: ofRun } = await testDatabase()
const { rows: citus } = await ofRun.query(sql`select from pg_extension where extname = 'citus'`)
const ground = citus.length > 0 ? await ownGround({ migrations: former, tables: [] }) : null
const skip = ground === null && 'only a cluster distributes tables'

test('the migrations since the release before can be applied to distributed tables', { skip }, async () => {
  const { owner } = ground ?? assert.fail()
  const log = () => undefined
  const { rows } = await owner.query<{ name: string }>(sql`select relname::text as name from pg_class`)
  const names = new Set(rows.map(({ name }) => name))
  await migrate(owner, former, { tables: tables.filter(({ table }) => names.has(table)), log })
  await migrate(owner, migrations, { tables, log })
})
