// The look for clinics that have due deliveries finds each of them, and reads little however many lanes have nothing that waits and however
// many deliveries wait in one lane.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '@clinic-data/database'
import { newScene } from '@clinic-data/testing/grounds/ground'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { dueClinics } from '../src/engine/due-clinics.ts'
import { addIdleLanes, ExplainingDatabase } from './explaining-database.ts'

const base = await ownGround()
const MOST = 100
const LANES = 2_000
const WAITING = 2_000
/** A look may read so many rows for each lane that has deliveries. */
const ROWS_A_LANE = 8

const database = await new ExplainingDatabase(asApplication(base.url)).open()
after(() => database.close())
const found = async (now: Date) => (await dueClinics(database, now, MOST)).sort()

test('each clinic with a due delivery is found, whichever of its lanes has it', async () => {
  const scenes = [await newScene(base, 'a', 'b'), await newScene(base, 'a'), await newScene(base, 'z')]
  const [first = '', second = ''] = scenes.map(({ clinic }) => clinic.clinic_id)
  const now = new Date(Math.max(...scenes.map(({ clock }) => clock.now().getTime())))
  for (const { happen } of scenes.slice(0, 2)) await happen(3, now)
  assert.deepEqual(await found(now), [first, second].sort())
  // What waits in the first lane waits for a probe. The look goes on to the next one.
  await base.owner.query(
    sql`update lane set probe_at = ${new Date(now.getTime() + 60_000)} where subscription_id = 'a'`,
  )
  assert.deepEqual(await found(now), [first])
  await base.owner.query(sql`update delivery set due_at = ${new Date(now.getTime() + 1)} where subscription_id = 'b'`)
  assert.deepEqual(await found(now), [])
  await base.owner.query(sql`update lane set has_urgent = true where subscription_id = 'a' and clinic_id = ${second}`)
  assert.deepEqual(await found(now), [second])
})

const skip = database.isCluster && 'a cluster’s workers share the lanes'

test('a look reads a few rows for each lane that has deliveries, whatever else there is', { skip }, async () => {
  const { clinic, clock } = await newScene(base, 'due', 'open')
  const { clinic_id } = clinic
  const now = clock.now()
  await base.owner.query(sql`truncate event, delivery, attempt`)
  assert.deepEqual(await found(now), [])
  await addIdleLanes(base.owner, clinic_id, LANES)
  await base.owner.query(sql`insert into delivery (clinic_id, subscription_id, id, event_id, event_type, due_at, created_at)
    select ${clinic_id}, 'open', 'dlv_' || n, 'evt_' || n, 'appointment.created', ${now}::timestamptz, ${now}::timestamptz
    from generate_series(1, ${WAITING}::int) n`)
  await base.owner.query(sql`update lane set opened_at = ${now}, probe_at = ${new Date(now.getTime() + 60_000)}
    where clinic_id = ${clinic_id} and subscription_id = 'open'`)
  assert.deepEqual(await found(now), [])
  assert.ok(database.rowsRead <= ROWS_A_LANE, `${database.rowsRead} rows behind an open circuit`)
  await base.owner.query(
    sql`update lane set probe_at = ${now} where clinic_id = ${clinic_id} and subscription_id = 'open'`,
  )
  assert.deepEqual(await found(now), [clinic_id])
  assert.ok(database.rowsRead <= ROWS_A_LANE, `${database.rowsRead} rows at its probe`)
})
