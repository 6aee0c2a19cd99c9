// The primary database is killed under load while gateway, backends and dispatcher run as separate processes. Its standby takes over:
// acknowledged writes are there once, every event is delivered, and nobody restarts anything of ours.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Database, DatabaseUnavailable, openDatabase, sql } from '@clinic-data/database'
import { connectedStandbys } from '@clinic-data/database/server-copies'
import { isAway } from '@clinic-data/installation/database/away'
import {
  type Answers,
  assertChainSound,
  assertWhole,
  clinicToWriteTo,
  writeThroughCrashes,
} from '@clinic-data/testing/grounds/crash-load'
import { type ClinicdProcess, startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { EventReceiver } from '@clinic-data/testing/receivers/crash-receiver'
import { secretKeysText, subscribeSigned } from '@clinic-data/testing/run/own-ground'
import { until } from '@clinic-data/testing/until'
import { needsPatroni, PatroniCluster } from './patroni-cluster.ts'

type End = 'killed' | 'frozen'
/** The primary suffers these, one after the other. `npm run failover` takes minutes and both processors, so CI does not run it. */
const ENDS: readonly End[] =
  process.env.TEST_FAILOVER === 'long' ? [...Array<End>(10).fill('killed'), 'frozen', 'frozen'] : ['killed']
/** From the promotion of the standby to the first acknowledged write. */
const BACK_WITHIN_MS = 15_000
/** The processors are for the cluster too: a Patroni that comes too late loses its place. */
const REST_MS = 20

describe('a primary that dies under load', needsPatroni, () => {
  let cluster: PatroniCluster
  let owner: Database
  let folder: string
  const processes: ClinicdProcess[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'failover-'))
    cluster = await PatroniCluster.start()
    processes.push(...(await startService(cluster.url, folder)))
    owner = await openDatabase({ url: cluster.superuserUrl, statementTimeoutMs: 0, writeConnections: 2 })
  })
  after(async () => {
    await owner?.close()
    for (const one of processes) await one.end('SIGKILL')
    await cluster?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('its standby is not taken for a primary, but a start waits for one', async () => {
    await assert.rejects(
      openDatabase({ url: cluster.standbyUrl }),
      (error) =>
        error instanceof DatabaseUnavailable && /a standby, not the primary/.test(error.message) && isAway(error),
    )
  })

  test('etcd, which decides who is the primary, answers only to who has its certificate', async () => {
    assert.equal(await cluster.askEtcd('own'), 200)
    await assert.rejects(cluster.askEtcd('none'), /certificate|socket hang up|ECONNRESET/)
  })

  test('loses no acknowledged write and no delivery, doubles none, and is an outage of seconds', async (t) => {
    const receiver = await new EventReceiver().listen()
    const { clinic_id, key } = await clinicToWriteTo(owner)
    receiver.secrets.set('/', await subscribeSigned({ owner }, { clinic_id }, 'one', receiver.url('/')))
    const promotions: number[] = []
    const endedAt: number[] = []
    const answers = await writeThroughCrashes({
      address: async () => processes[0]?.address ?? assert.fail('there is no gateway'),
      key,
      rounds: ENDS.length,
      restMs: REST_MS,
      kill: async (round) => {
        const { primary, standby } = await cluster.roles()
        const isKilled = ENDS[round] === 'killed'
        endedAt.push(performance.now())
        if (isKilled) await primary.kill()
        else primary.freeze()
        await standby.until('primary')
        promotions.push(performance.now())
        if (isKilled) primary.revive()
        else primary.thaw()
        await cluster.roles()
      },
    })
    const back = promotions.map((at) => (answers.written.find((one) => one.at > at)?.at ?? Number.NaN) - at)
    t.diagnostic(summaryOf(answers, { endedAt, promotions, back }))
    const others = [...answers.refused.keys()].filter((told) => !told.startsWith('503 '))
    assert.ok(answers.refused.size > 0, 'the outage was met')
    assert.deepEqual(others, [], 'meanwhile 503, and nothing else')
    for (const ms of back) assert.ok(ms <= BACK_WITHIN_MS, `${ms} ms`)
    for (const { child, lines } of processes) assert.equal(child.exitCode, null, lines.join('\n'))

    await assertWhole(owner, clinic_id, answers)
    await assertChainSound({ owner }, clinic_id, secretKeysText)
    await assertDelivered(owner, clinic_id, receiver)
    const twice = [...receiver.counts().values()].filter((count) => count > 1).length
    t.diagnostic(`${receiver.counts().size} events delivered, ${twice} of them more than once`)
  })

  test('a standby is counted while it is connected, for the alert that it is lost', async () => {
    const counted = (count: number) =>
      until(
        async () => (await connectedStandbys(owner)) === count,
        () => `not ${count} standbys`,
      )
    const { standby } = await cluster.roles()
    await counted(1)
    await standby.kill()
    await counted(0)
  })
})

/** A gateway, two backends and a dispatcher. */
async function startService(DATABASE_URL: string, DATA_DIR: string): Promise<ClinicdProcess[]> {
  const BACKEND_TOKEN = randomBytes(24).toString('hex')
  const common = { SECRET_KEYS: secretKeysText, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const data = { ...common, DATABASE_URL, DATA_DIR }
  const backends = [
    await startClinicd(['--role', 'backend'], { ...data, BACKEND_TOKEN }),
    await startClinicd(['--role', 'backend'], { ...data, BACKEND_TOKEN }),
  ]
  const BACKEND_URL = backends.map(({ adminAddress }) => adminAddress).join(',')
  const gateway = await startClinicd(['--role', 'gateway'], { ...common, BACKEND_URL, BACKEND_TOKEN })
  return [gateway, ...backends, await startClinicd(['--role', 'dispatcher'], data)]
}

/** Every event has arrived, with its signature, and nothing that is not an event. */
async function assertDelivered(owner: Database, clinic_id: string, receiver: EventReceiver): Promise<void> {
  const stored = async () => {
    const { rows } = await owner.query<{ id: string }>(sql`select id from event where clinic_id = ${clinic_id}`)
    return rows.map(({ id }) => id)
  }
  const arrived = () => new Set(receiver.arrivals.map(({ event_id }) => event_id))
  const missing = async () => (await stored()).filter((id) => !arrived().has(id))
  await until(
    async () => (await missing()).length === 0,
    () => 'some events are never delivered',
  )
  const known = new Set(await stored())
  assert.deepEqual(
    [...arrived()].filter((id) => !known.has(id)),
    [],
    'what was delivered is stored',
  )
  assert.deepEqual(receiver.faults, [])
}

interface Times {
  endedAt: number[]
  promotions: number[]
  back: number[]
}

function summaryOf(answers: Answers, { endedAt, promotions, back }: Times): string {
  const seconds = (all: readonly number[]) => all.map((ms) => (ms / 1000).toFixed(1)).join(', ')
  const promoted = promotions.map((at, i) => at - (endedAt[i] ?? Number.NaN))
  const refused = [...answers.refused].map(([told, count]) => `${count} × ${told}`).join(', ')
  return `${answers.written.length} writes acknowledged, ${refused}; seconds from its end to the promotion: ${seconds(promoted)}; \
from promotion to the first acknowledged write: ${seconds(back)}; longest pause: ${seconds(answers.pauses)}`
}
