// The migration that makes integrations gives each key and webhook of before one, on one server and on a cluster.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import { clinicWithoutKeys } from '@clinic-data/testing/grounds/test-clinic'
import { ownGround } from '@clinic-data/testing/run/own-ground'

const former = schema.migrations.filter(({ id }) => id < '0052')
const { owner } = await ownGround({ migrations: former, tables: [] })
const log = () => undefined
const { rows: there } = await owner.query<{ name: string }>(sql`select relname::text as name from pg_class`)
const names = new Set(there.map(({ name }) => name))
await migrate(owner, former, { tables: schema.tables.filter(({ table }) => names.has(table)), log })

test('the migration gives each key an integration, and a webhook that of its maker or its own', async () => {
  const clinics = [await clinicWithoutKeys(owner), await clinicWithoutKeys(owner)]
  for (const { clinic_id } of clinics) {
    for (const [id, name] of [
      ['key_1', 'CRM'],
      ['key_2', ''],
    ] as const)
      await owner.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
        values (${clinic_id}, ${id}, ${randomBytes(32).toString('hex')}, '', '', ${name}, '{}', now())`)
    for (const [id, made_by] of [
      ['wh_1', 'key_1'],
      ['wh_2', null],
    ] as const)
      await owner.query(sql`insert into subscription
          (clinic_id, id, url, event_types, secret, secret_last_characters, created_at, made_by)
        values (${clinic_id}, ${id}, 'https://crm.example.com/hook', '{}', ${randomBytes(8)}, '', now(), ${made_by})`)
  }
  await migrate(owner, schema.migrations, { log, tables: schema.tables })
  for (const { clinic_id } of clinics) {
    const { rows } = await owner.query(sql`select id, name from integration where clinic_id = ${clinic_id} order by id`)
    assert.deepEqual(rows, [
      { id: 'int_key_1', name: 'CRM' },
      { id: 'int_key_2', name: 'key_2' },
      { id: 'int_wh_2', name: 'https://crm.example.com/hook' },
    ])
    const { rows: webhooks } = await owner.query(
      sql`select id, integration_id from subscription where clinic_id = ${clinic_id} order by id`,
    )
    assert.deepEqual(webhooks, [
      { id: 'wh_1', integration_id: 'int_key_1' },
      { id: 'wh_2', integration_id: 'int_wh_2' },
    ])
  }
})
