// On a cluster, a clinic's shard can move to another machine while the clinic works, so the cluster can grow.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createBackend } from '@clinic-data/backend'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { newClinic } from '@clinic-data/testing/grounds/ground'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { emit } from '@clinic-data/webhooks/events/emit'
import { maintainEvents } from '@clinic-data/webhooks/events/maintain-events'

const WRITERS = 4
const WRITES_BEFORE = 40
const WRITES_AFTER = 40
/** Many more than can end where a shard takes no writes while it moves: one each. */
const WRITES_MEANWHILE = 10 * WRITERS

const base = await ownGround(schema)
const { rows: citus } = await base.owner.query(sql`select from pg_extension where extname = 'citus'`)

interface Placement {
  shard_id: number
  node: string
  port: number
}

/** Finds the shard and the machine of the clinic's rows. */
async function placementOf(owner: Database, { clinic_id }: Clinic): Promise<Placement> {
  const { rows } = await owner.query<Placement>(sql`
    select shardid::int as shard_id, nodename as node, nodeport::int as port from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('branch', ${clinic_id}::text)`)
  return rows[0] ?? assert.fail('the clinic has no shard')
}

async function moveAway(owner: Database, { shard_id, node, port }: Placement): Promise<Placement> {
  const { rows } = await owner.query<Omit<Placement, 'shard_id'>>(sql`
    select nodename as node, nodeport::int as port from pg_dist_node
    where groupid > 0 and (nodename, nodeport) <> (${node}::text, ${port}::int) limit 1`)
  const [to] = rows
  assert.ok(to, 'a cluster of one machine has nowhere to move a shard to')
  await owner.query(sql`select citus_move_shard_placement(${shard_id}::bigint, ${node}::text, ${port}::int,
    ${to.node}::text, ${to.port}::int)`)
  return { shard_id, ...to }
}

/** Writes a row with its event, then an audit row, again and again until it is stopped. */
class Writer {
  readonly written: string[] = []
  readonly #working: Promise<void>
  #isStopped = false

  constructor(app: Database, clinic: Clinic, name: string) {
    this.#working = this.#work(app, clinic, name)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#working
  }

  async #work(app: Database, clinic: Clinic, name: string): Promise<void> {
    const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })
    const { clinic_id } = clinic
    while (!this.#isStopped) {
      const id = `${name}-${this.written.length}`
      await app.write(clinic, async (tx) => {
        await tx.query(sql`insert into branch (clinic_id, id, name) values (${clinic_id}, ${id}, 'A branch')`)
        await emit(tx, clinic, [{ type: 'patient.created', data: JSON.stringify({ id }) }], new Date())
      })
      const at = new Date().toISOString()
      await backend.audit([
        {
          at,
          clinic_id,
          key_id: 'key_1',
          operation: 'patients.list',
          surface: 'rest',
          resource_ids: [id],
          count: 1,
          status: 200,
          request_id: id,
          address: '192.0.2.1',
        },
      ])
      this.written.push(id)
      await delay(5)
    }
  }
}

test('while a shard moves, the clinic goes on writing, and no write is lost or refused', {
  skip: citus.length > 0 ? false : 'needs a Citus cluster',
}, async (t) => {
  const { owner, app } = base
  await maintainEvents(owner, 30)
  const [clinic, other] = [await newClinic(base), await newClinic(base)]
  const before = await placementOf(owner, clinic)
  const name = randomBytes(4).toString('hex')
  const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(app, clinic, `${name}-${n}`))
  const count = () => writers.reduce((sum, { written }) => sum + written.length, 0)
  const reach = async (number: number) => {
    while (count() < number) await delay(10)
  }
  await reach(WRITES_BEFORE)
  const [startedAt, writtenBefore] = [performance.now(), count()]
  const after = await moveAway(owner, before)
  const meanwhile = count() - writtenBefore
  t.diagnostic(`the move took ${Math.round(performance.now() - startedAt)} ms; ${meanwhile} writes ended meanwhile`)
  assert.ok(meanwhile >= WRITES_MEANWHILE, `${meanwhile} writes ended while the shard moved`)
  await reach(count() + WRITES_AFTER)
  await Promise.all(writers.map((writer) => writer.stop()))

  assert.deepEqual(await placementOf(owner, clinic), after)
  assert.notDeepEqual(after, before)
  const written = writers.flatMap((writer) => writer.written).sort()
  const read = async (session: Clinic, statement: ReturnType<typeof sql>) =>
    (await app.read<{ id: string }>(session, statement)).map(({ id }) => id).sort()
  const { clinic_id } = clinic
  assert.deepEqual(await read(clinic, sql`select id from branch where clinic_id = ${clinic_id}`), written)
  assert.deepEqual(await read(clinic, sql`select request_id as id from audit where clinic_id = ${clinic_id}`), written)
  const events = await app.read<{ position: number }>(
    clinic,
    sql`select position from event where clinic_id = ${clinic_id} order by position`,
  )
  assert.deepEqual(
    events.map(({ position }) => Number(position)),
    written.map((_, n) => n + 1),
  )
  assert.deepEqual(await read(other, sql`select id from branch where clinic_id = ${clinic_id}`), [])
})
