// A dispatcher that stays silent has died, and what it held is due again at once. One that beats keeps what it holds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Database, sql } from '@clinic-data/database'
import { newScene } from '@clinic-data/testing/grounds/ground'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { claimDue } from '../src/engine/claim.ts'
import { Heartbeat, SILENT_MS } from '../src/engine/heartbeat.ts'
import { addIdleLanes, ExplainingDatabase } from './explaining-database.ts'

const base = await ownGround()
const explaining = await new ExplainingDatabase(asApplication(base.url)).open()
after(() => explaining.close())
const RETRIES = 64
const LANES = 2_000
/** A look may read so many rows for each lane that has deliveries. */
const ROWS_A_LANE = 8

/** A dispatcher by a clock of its own. */
function beating(database: Database = base.app) {
  const worker = randomUUID()
  const released: string[] = []
  const clock = { ms: 0 }
  const onReleased = (clinic_id: string) => released.push(clinic_id)
  const log = { warn: () => undefined }
  const heartbeat = new Heartbeat({ database, log, worker, onReleased, elapsed: () => clock.ms })
  return {
    worker,
    released,
    clock,
    beat: () => heartbeat.beat(),
    stop: () => heartbeat.stop(),
    /** Beats for as long as it takes before others are judged. */
    beatOn: async () => {
      for (const end = clock.ms + SILENT_MS; clock.ms <= end; clock.ms += 500) await heartbeat.beat()
    },
  }
}

async function holding(worker: string) {
  const { clinic, clock, happen } = await newScene(base, 'one')
  await happen(3)
  const { clinic_id } = clinic
  const claim = (by: string) =>
    claimDue(base.app, { clinic_id, most: 3, retries: RETRIES, lease_id: `${by} ${randomUUID()}`, now: clock.now() })
  assert.equal((await claim(worker)).claimed.length, 3)
  return { clinic_id, free: async () => (await claim('another')).claimed.length }
}

const silentFor = (worker: string, ms: number) =>
  base.owner.query(sql`update dispatcher set beat_at = clock_timestamp() - make_interval(secs => ${ms / 1000}::float8)
    where worker = ${worker}`)

const known = async (worker: string) =>
  (await base.owner.query(sql`select from dispatcher where worker = ${worker}`)).rowCount === 1

test('what a silent dispatcher held is due again, its clinics are served, and it is forgotten', async () => {
  const [dead, other] = [beating(), beating()]
  await dead.beat()
  const { clinic_id, free } = await holding(dead.worker)
  await other.beatOn()
  assert.deepEqual(other.released, [])
  assert.equal(await free(), 0)
  await silentFor(dead.worker, SILENT_MS + 1)
  await other.beat()
  assert.deepEqual(other.released, [clinic_id])
  assert.equal(await free(), 3)
  assert.deepEqual([await known(dead.worker), await known(other.worker)], [false, true])
})

test('a dispatcher that beats keeps what it holds, and so does one of a version that does not beat', async () => {
  const [alive, other] = [beating(), beating()]
  await alive.beat()
  const its = await holding(alive.worker)
  const older = await holding(randomUUID())
  await silentFor(alive.worker, SILENT_MS - 1_000)
  await other.beatOn()
  assert.deepEqual([await its.free(), await older.free()], [0, 0])
  await alive.stop()
})

test('only what the dead one held is released', async () => {
  const [dead, other] = [beating(), beating()]
  await dead.beat()
  await other.beatOn()
  const [its, older] = [await holding(dead.worker), await holding(randomUUID())]
  await silentFor(dead.worker, SILENT_MS + 1)
  await other.beat()
  assert.deepEqual([await its.free(), await older.free()], [3, 0])
})

test('after an outage nobody is judged until the others had the time to beat again', async () => {
  const [slow, other] = [beating(), beating()]
  await other.beatOn()
  await slow.beat()
  const { free } = await holding(slow.worker)
  // The database was away.
  other.clock.ms += SILENT_MS
  await silentFor(slow.worker, SILENT_MS + 1)
  await other.beat()
  assert.equal(await free(), 0)
  await slow.beat()
  await other.beatOn()
  assert.equal(await free(), 0)
  await slow.stop()
})

test('a dispatcher that has just begun judges nobody', async () => {
  const [dead, young] = [beating(), beating()]
  await dead.beat()
  const { free } = await holding(dead.worker)
  await silentFor(dead.worker, SILENT_MS + 1)
  await young.beat()
  assert.equal(await free(), 0)
  await young.beatOn()
  assert.equal(await free(), 3)
})

test('a dispatcher that stops is forgotten', async () => {
  const one = beating()
  await one.beat()
  await one.stop()
  assert.equal(await known(one.worker), false)
})

test('several that find the same dead dispatcher free each delivery once', async () => {
  const dead = beating()
  await dead.beat()
  const others = [beating(), beating(), beating()]
  for (const one of others) await one.beatOn()
  const { free } = await holding(dead.worker)
  await silentFor(dead.worker, SILENT_MS + 1)
  await Promise.all(others.map((one) => one.beat()))
  assert.equal(await free(), 3)
  assert.equal(await free(), 0)
})

const skip = explaining.isCluster && 'a cluster’s workers share the lanes'

test('who takes over reads a few rows for each lane that has deliveries, however many have none', {
  skip,
}, async () => {
  const [dead, other] = [beating(), beating(explaining)]
  await dead.beat()
  await base.owner.query(sql`truncate event, delivery, attempt`)
  const { clinic_id, free } = await holding(dead.worker)
  await addIdleLanes(base.owner, clinic_id, LANES)
  await silentFor(dead.worker, SILENT_MS + 1)
  await other.beatOn()
  assert.deepEqual(other.released, [clinic_id])
  assert.ok(explaining.rowsRead <= ROWS_A_LANE, `${explaining.rowsRead} rows`)
  assert.equal(await free(), 3)
})
