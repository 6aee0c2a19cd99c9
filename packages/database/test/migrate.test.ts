// Migrations.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { DatabaseError, openDatabase, sql } from '../src/database.ts'
import type { DistributedTable } from '../src/schema/distribute-tables.ts'
import { type Migration, migrate } from '../src/schema/migrate.ts'
import { openTestDatabase, type TestDatabase } from './embedded.ts'

let db: TestDatabase
let lines: string[] = []
let migrations: Migration[]
let later: Migration
const log = (line: string) => lines.push(line)

before(async () => {
  db = await openTestDatabase()
})

beforeEach(async () => {
  lines = []
  const [first, second, third] = newMigrations() as [Migration, Migration, Migration]
  migrations = [first, second]
  later = third
  await db.owner.maintain((tx) =>
    tx.script('drop table if exists test_late, test_visit, test_patient, test_kind cascade'),
  )
})

after(() => db?.close())

/** New names, so that other tests of the same database do not know them. */
function newMigrations(): Migration[] {
  const run = randomUUID()
  return [
    {
      id: `${run}_1`,
      statements: `create table test_kind (id text collate "C" primary key);
        create table test_patient (clinic_id text collate "C", id text collate "C", primary key (clinic_id, id));
        insert into test_kind (id) values ('first');`,
    },
    {
      id: `${run}_2`,
      statements: `create table test_visit (clinic_id text collate "C", id text collate "C", patient_id text collate "C",
        kind text collate "C" references test_kind, primary key (clinic_id, id),
        foreign key (clinic_id, patient_id) references test_patient)`,
    },
    {
      id: `${run}_3`,
      statements: `alter table test_patient add column name text;
      create table test_late (clinic_id text collate "C", id text collate "C", visit_id text collate "C",
        kind text collate "C" references test_kind, primary key (clinic_id, id),
        foreign key (clinic_id, visit_id) references test_visit)`,
    },
  ]
}

const tables: DistributedTable[] = [
  { table: 'test_visit', kind: 'distributed' },
  { table: 'test_patient', kind: 'distributed' },
  { table: 'test_kind', kind: 'reference' },
]

const columns = async (table: string) =>
  (await db.owner.query(sql`select from information_schema.columns where table_name = ${table}`)).rows.length

test('migrations are applied once, in order', async () => {
  await migrate(db.owner, migrations, { log })
  assert.deepEqual(
    lines,
    migrations.map(({ id }) => `applied migration ${id}`),
  )
  await migrate(db.owner, migrations, { log })
  assert.equal(lines.length, 2)
})

test('several processes at once apply each migration once', async () => {
  const others = await Promise.all([1, 2, 3].map(() => openDatabase({ url: db.ownerUrl, statementTimeoutMs: 0 })))
  await Promise.all(others.map((owner) => migrate(owner, migrations, { log, tables })))
  await Promise.all(others.map((owner) => owner.close()))
  assert.deepEqual(
    lines.filter((line) => line.startsWith('applied')).sort(),
    migrations.map(({ id }) => `applied migration ${id}`),
  )
  assert.deepEqual((await db.owner.query(sql`select id from test_kind`)).rows, [{ id: 'first' }])
})

test('a migration that changed after it was applied is refused', async () => {
  await migrate(db.owner, migrations, { log })
  const [first, second] = migrations as [Migration, Migration]
  const changed = [first, { ...second, statements: `${second.statements};` }]
  await assert.rejects(migrate(db.owner, changed, { log }), /_2 was changed/)
})

test('a failed migration changes nothing, and earlier ones stay', async () => {
  const failing = { ...later, statements: `${later.statements}; select 1 / 0` }
  await assert.rejects(migrate(db.owner, [...migrations, failing], { log }), DatabaseError)
  assert.equal(await columns('test_late'), 0)
  assert.equal(await columns('test_patient'), 2)
  await migrate(db.owner, [...migrations, later], { log })
  assert.equal(await columns('test_late'), 4)
  assert.equal(await columns('test_patient'), 3)
})

test('migrations out of order are refused', async () => {
  await assert.rejects(migrate(db.owner, migrations.toReversed(), { log }), /_1 stands after .*_2/)
})

test('a missing application role is made, without any power', async () => {
  await migrate(db.owner, migrations, { log })
  const { rows } = await db.owner.query(sql`select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb
    from pg_roles where rolname = 'clinic_data_app'`)
  assert.deepEqual(rows, [{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false }])
})

test('on a cluster every table is distributed, even a later one that references the others', async (t) => {
  const { rows } = await db.owner.query(sql`select from pg_extension where extname = 'citus'`)
  await migrate(db.owner, migrations, { log, tables })
  await migrate(db.owner, [...migrations, later], {
    log,
    tables: [{ table: 'test_late', kind: 'distributed' }, ...tables],
  })
  const distributed = lines.filter((line) => line.startsWith('distributed'))
  if (rows.length === 0) {
    assert.deepEqual(distributed, [])
    return t.diagnostic('not a cluster')
  }
  assert.deepEqual(
    distributed,
    ['kind', 'patient', 'visit', 'late'].map((table) => `distributed table test_${table}`),
  )
  const places = await db.owner.query(sql`select count(distinct colocationid) as places from pg_dist_partition
    where logicalrelid in ('test_patient'::regclass, 'test_visit'::regclass, 'test_late'::regclass)`)
  assert.deepEqual(places.rows, [{ places: 1 }])
})
