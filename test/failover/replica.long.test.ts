// Analytics on a streaming standby: only scans go there, the walls between clinics hold there too, and whenever it is away or behind
// the primary answers, without an error.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import {
  type Database,
  DatabaseError,
  openDatabase,
  type ReplicaNews,
  StatementTimeout,
  sql,
  utcSession,
} from '@clinic-data/database'
import { connector } from '@clinic-data/database/connections/connect'
import { LONGEST_LAG_MS } from '@clinic-data/database/connections/replica'
import { databaseLogins } from '@clinic-data/installation/database/database-logins'
import { clinicToWriteTo } from '@clinic-data/testing/grounds/crash-load'
import { type ClinicdProcess, startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { secretKeysText } from '@clinic-data/testing/run/own-ground'
import { until } from '@clinic-data/testing/until'
import { needsPatroni, PatroniCluster } from './patroni-cluster.ts'

const WHERE = sql`select pg_is_in_recovery() as is_standby, current_setting('timezone') as zone`
const PATIENCE_MS = 8_000
/** On two processors they take turns, and a busy machine must answer the last one within ten seconds too. */
const AT_ONCE = 8
const DAY_MS = 24 * 60 * 60 * 1000

describe('a standby for analytics', needsPatroni, () => {
  let cluster: PatroniCluster
  let owner: Database
  let service: ClinicdProcess
  let folder: string
  let clinic: { clinic_id: string; time_zone: string }
  let key: string
  const opened: Database[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replica-'))
    cluster = await PatroniCluster.start()
    const urls = { DATABASE_URL: cluster.url, DATABASE_REPLICA_URL: cluster.standbyUrl }
    service = await startClinicd([], { ...urls, DATA_DIR: folder, SECRET_KEYS: secretKeysText })
    owner = await openDatabase({ url: cluster.superuserUrl, statementTimeoutMs: 0 })
    const made = await clinicToWriteTo(owner)
    clinic = { clinic_id: made.clinic_id, time_zone: 'Asia/Jerusalem' }
    key = made.key
  })
  after(async () => {
    for (const one of [...opened, owner]) await one?.close()
    await service?.end('SIGKILL')
    await cluster?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const logins = (replica = cluster.standbyUrl) => {
    const secretKeys = parseSecretKeys(secretKeysText)
    return databaseLogins(cluster.url, { databaseOwnerUrl: null, databaseReplicaUrl: replica, secretKeys })
  }
  /** As the service opens it. Resolves when the standby was looked at. */
  const openWith = async (replicaUrl = logins().replicaUrl ?? '') => {
    const news: ReplicaNews[] = []
    const { appUrl, ownerUrl } = logins()
    const onReplicaNews = (one: ReplicaNews) => news.push(one)
    const app = await openDatabase({ url: appUrl ?? '', ownerUrl, replicaUrl, onReplicaNews })
    opened.push(app)
    await until(
      async () => news.length > 0,
      () => 'nothing is told of the standby',
    )
    return { app, news }
  }
  const serves = ({ news }: { news: ReplicaNews[] }) =>
    until(
      async () => news.at(-1)?.serves === true,
      () => 'the standby does not serve',
    )
  const onStandby = async (app: Database) => {
    const { rows } = await app.scan<{ is_standby: boolean }>(clinic, WHERE, PATIENCE_MS)
    return rows[0]?.is_standby
  }

  test('scans go there and tell how far it is behind; reads, writes and everything else stay on the primary', async () => {
    const one = await openWith()
    await serves(one)
    const { rows, behindMs } = await one.app.scan(clinic, WHERE, PATIENCE_MS)
    assert.deepEqual(rows, [{ is_standby: true, zone: clinic.time_zone }])
    assert.ok(behindMs > 0 && behindMs <= LONGEST_LAG_MS)
    const elsewhere = [
      await one.app.read(clinic, WHERE),
      await one.app.write(clinic, async (tx) => (await tx.query(WHERE)).rows),
      (await one.app.query(WHERE)).rows,
    ]
    assert.deepEqual(
      elsewhere.map(([row]) => row?.is_standby),
      [false, false, false],
    )
  })

  test('a scan there sees its own clinic alone, cannot write, and ends after five seconds', async () => {
    const one = await openWith()
    const other = await clinicToWriteTo(owner)
    await serves(one)
    const clinics = sql`select distinct clinic_id from patient`
    const seen = () => one.app.scan(utcSession(other.clinic_id), clinics, PATIENCE_MS)
    await until(
      async () => (await seen()).rows.length > 0,
      () => 'the clinic does not reach the standby',
    )
    assert.deepEqual((await seen()).rows, [{ clinic_id: other.clinic_id }])
    await assert.rejects(
      one.app.scan(clinic, sql`delete from patient`, PATIENCE_MS),
      (error) => error instanceof DatabaseError && error.code === '25006',
    )
    await assert.rejects(one.app.scan(clinic, sql`select pg_sleep(30)`, PATIENCE_MS), StatementTimeout)
    assert.equal(await onStandby(one.app), true)
  })

  test('a server that is no standby, or another login, is never asked', async () => {
    const superuser = new URL(cluster.superuserUrl)
    superuser.port = new URL(cluster.standbyUrl).port
    const cases = [
      [logins().appUrl ?? '', /not a standby/],
      [superuser.href, /another login/],
      ['postgres://nobody:x@127.0.0.1:1/clinicd', /ECONNREFUSED/],
    ] as const
    for (const [url, reason] of cases) {
      const { app, news } = await openWith(url)
      assert.match(news[0]?.serves === false ? news[0].reason : '', reason)
      assert.equal(await onStandby(app), false)
    }
  })

  test('a standby that stays behind is used for five seconds, and again when it has caught up', async () => {
    const one = await openWith()
    await serves(one)
    process.kill(await replaying(), 'SIGSTOP')
    await owner.query(sql`create table late ()`)
    const last = await until(
      async () => {
        const { rows, behindMs } = await one.app.scan<{ is_standby: boolean }>(clinic, WHERE, PATIENCE_MS)
        assert.ok(behindMs <= LONGEST_LAG_MS)
        // The news follow the first scan that the primary answers.
        return !rows[0]?.is_standby && one.news.at(-1)?.serves === false && one.news.at(-1)
      },
      () => 'the standby stays in use',
    )
    assert.deepEqual(last, { serves: false, reason: 'it is too far behind' })
    assert.ok((one.app.replicaLagMs ?? 0) > LONGEST_LAG_MS)
    process.kill(await replaying(), 'SIGCONT')
    await serves(one)
    assert.equal(await onStandby(one.app), true)
  })

  test('a scan whose standby breaks off or falls silent is answered by the primary', async (t) => {
    const proxy = await startTcpProxy(logins().replicaUrl ?? '')
    t.after(() => proxy.close())
    const one = await openWith(proxy.url)
    await serves(one)
    const slow = sql`select pg_is_in_recovery() as is_standby from pg_sleep(0.5)`
    const answer = async () =>
      (await one.app.scan<{ is_standby: boolean }>(clinic, slow, PATIENCE_MS)).rows[0]?.is_standby
    const broken = answer()
    proxy.cut()
    assert.equal(await broken, false)
    proxy.restore()
    await until(answer, () => 'the standby is not used again')
    // One is under way, and the others wait in its line.
    const silent = Array.from({ length: 4 }, answer)
    proxy.swallow()
    assert.deepEqual(new Set(await Promise.all(silent)), new Set([false]))
  })

  test('a scan that keeps the standby from replaying is ended there, and answered by the primary', async () => {
    const one = await openWith()
    await owner.query(sql`create table emptied ()`)
    await owner.query(sql`grant select on emptied to public`)
    await atStandby('alter system set max_standby_streaming_delay = 0', 'select pg_reload_conf()')
    await serves(one)
    const slow = sql`select pg_is_in_recovery() as is_standby from pg_sleep(2) left join emptied on true`
    const answer = one.app.scan<{ is_standby: boolean }>(clinic, slow, PATIENCE_MS)
    const isThere = `select 1 from pg_stat_activity where state = 'active' and query like '%left join emptied%'
      and pid <> pg_backend_pid()`
    await until(
      async () => (await atStandby(isThere)).length > 0,
      () => 'the scan does not begin',
    )
    await owner.query(sql`truncate emptied`)
    assert.deepEqual((await answer).rows, [{ is_standby: false }])
    assert.equal(await onStandby(one.app), true)
  })

  test('the service answers queries from it as of the moment it shows, and without an error when it dies', async () => {
    await until(
      async () => service.lines.includes('the standby answers analytics'),
      () => service.lines.join('\n'),
    )
    process.kill(await replaying(), 'SIGSTOP')
    const count = async () => (await query()).totals.lead_count
    const was = await count()
    const written = await send('/v1/leads', { first_name: 'Dana', email: 'dana@example.com', source: 'website' })
    const { totals, as_of } = await query()
    assert.deepEqual([totals.lead_count, Date.parse(as_of) < Date.parse(written.created_at)], [was, true])
    process.kill(await replaying(), 'SIGCONT')
    await until(
      async () => (await count()) === was + 1,
      () => 'the standby does not go on',
    )
    const { standby: machine } = await cluster.roles()
    const all = Promise.all(Array.from({ length: AT_ONCE }, count))
    await machine.kill()
    assert.deepEqual(
      new Set([...(await all), ...(await Promise.all(Array.from({ length: AT_ONCE }, count)))]),
      new Set([was + 1]),
    )
    const metrics = await (await fetch(`${service.adminAddress}/metrics`)).text()
    assert.match(metrics, /^db_client_replica_lag_seconds\{?.* \d/m)
  })

  /** The process that replays the primary's log on the standby. Stopped, it falls behind; Patroni would resume a paused one. */
  async function replaying(): Promise<number> {
    const [row] = await atStandby(`select pid from pg_stat_activity where backend_type = 'startup'`)
    return row?.pid as number
  }

  /** As a superuser. @returns the rows of the last statement. */
  async function atStandby(...statements: string[]): Promise<Record<string, unknown>[]> {
    const url = new URL(cluster.superuserUrl)
    url.port = new URL(cluster.standbyUrl).port
    const options = { url: url.href, role: 'standby', statementTimeoutMs: 0, onError: () => undefined } as const
    const client = await connector(options)({ pipeline: false })
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    await client.end()
    return rows
  }

  async function query(): Promise<{ totals: { lead_count: number }; as_of: string }> {
    const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10))
    const filters = [{ field: 'created_date', op: 'between', value: [from, to] }]
    return send('/v1/query', { dataset: 'leads', measures: ['lead_count'], filters })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answers of two operations
  async function send(path: string, body: object): Promise<any> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${service.address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    assert.ok(answer.ok, `${text}\n${service.lines.slice(-60).join('\n')}`)
    return JSON.parse(text).data
  }
})
