// A form of rows that earlier versions cannot read: once there are such rows, a version that does not know the form does not start on them.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { checksumOf, markForm } from '@clinic-data/database/schema/form-of-rows'
import { migrate } from '@clinic-data/database/schema/migrate'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import * as schema from '../src/migrations.ts'

const { migrations, tables } = schema
const { owner } = await ownGround(schema)
const MARKED = '0007_audit'

const recorded = async () => {
  const { rows } = await owner.query<{ checksum: string }>(
    sql`select checksum from schema_migration where id = ${MARKED}`,
  )
  return rows[0]?.checksum ?? assert.fail('the migration is not recorded')
}
const migrateAgain = () => migrate(owner, migrations, { log: () => undefined, tables })
/** As every version before the mark compares. */
const isAsApplied = async () =>
  (await recorded()) === hash('sha256', migrations.find(({ id }) => id === MARKED)?.statements ?? '')

test('a mark makes earlier versions refuse, stands once, and stops none that knows the form', async (t) => {
  assert.ok(await isAsApplied())
  const before = await recorded()
  t.after(() => owner.query(sql`update schema_migration set checksum = ${before} where id = ${MARKED}`))
  for (let time = 0; time < 2; time++) await owner.maintain((tx) => markForm(tx, 'audit-segments'))
  assert.equal(await recorded(), `audit-segments:${before}`)
  assert.ok(!(await isAsApplied()))
  await migrateAgain()
  assert.equal(checksumOf(await recorded()), before)
})

test('a form of a later version is refused by name before anything is changed', async (t) => {
  const before = await recorded()
  t.after(() => owner.query(sql`update schema_migration set checksum = ${before} where id = ${MARKED}`))
  await owner.query(
    sql`update schema_migration set checksum = 'later-form:audit-segments:' || checksum where id = ${MARKED}`,
  )
  const asLater = await recorded()
  await assert.rejects(
    migrateAgain(),
    /^Error: the database holds rows in a form .* \(later-form\): start the later version$/,
  )
  assert.equal(await recorded(), asLater)
})
