// The metrics: the page about them is made from their instruments, and each figure tells what it says.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { trailOf } from '@clinic-data/backend/recorded-reads'
import { SenderMetrics } from '@clinic-data/backend/sending/sender-metrics'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase, sql } from '@clinic-data/database'
import { RedisRateLimit } from '@clinic-data/gateway/limits/redis-rate-limit'
import { markBackup } from '@clinic-data/operator/backup/last-backup'
import { happen, newClinic, subscribe } from '@clinic-data/testing/grounds/ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ownGround, secretKeysText, keys as webhookKeys } from '@clinic-data/testing/run/own-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { EngineMetrics } from '@clinic-data/webhooks/engine/engine-metrics'
import { metrics } from '@opentelemetry/api'
import Fastify from 'fastify'
import { metricsDocument } from '../scripts/metrics-document.ts'
import { startBackground } from '../src/background.ts'
import { metricsRoute, startMetrics } from '../src/private/prometheus.ts'
import { BackgroundMetrics } from '../src/telemetry/background-metrics.ts'
import { observeDatabase } from '../src/telemetry/connection-metrics.ts'
import { observeDataFolder } from '../src/telemetry/data-folder-metrics.ts'
import { samplesOf } from './prometheus-samples.ts'

const base = await ownGround(schema)
const NOW = new Date()

/** Returns what this process measures, in meters of the test's own. */
function measured() {
  metrics.disable()
  const app = Fastify()
  metricsRoute(app, startMetrics({ 'service.name': 'clinicd' }))
  return async () => {
    const samples = samplesOf((await app.inject('/metrics')).payload)
    return (name: string, labels: Record<string, string> = {}) =>
      samples.find(
        (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
      )?.value
  }
}

test('the page of all metrics is made from their instruments', () => {
  const path = join(import.meta.dirname, '../../../docs/metrics.md')
  assert.equal(readFileSync(path, 'utf8'), metricsDocument(), 'write it anew: npm run golden')
})

test('a backlog tells how much is due, how old it is where the endpoint works, and the open circuits', async () => {
  const collected = measured()
  const clinic = await newClinic(base)
  for (const id of ['works', 'fails']) await subscribe(base, clinic, id)
  await happen(base, clinic, 3, new Date(NOW.getTime() - 120_000))
  const { clinic_id } = clinic
  await base.owner.query(
    sql`update lane set opened_at = now() where clinic_id = ${clinic_id} and subscription_id = 'fails'`,
  )
  await base.owner.query(sql`update delivery set due_at = ${new Date(NOW.getTime() - 86_400_000)}
    where clinic_id = ${clinic_id} and subscription_id = 'fails'`)
  const engine = new EngineMetrics(
    base.app,
    () => NOW,
    () => 5,
  )
  engine.start()
  await engine.stop()
  const figure = await collected()
  assert.equal(figure('lane_backlog'), 6)
  assert.equal(figure('lane_oldest_due_seconds'), 120)
  assert.equal(figure('lane_open_circuits'), 1)
  assert.equal(figure('delivery_attempts_in_flight'), 5)
})

test('the queue of chat messages tells how many are due and for how long', async () => {
  const collected = measured()
  const clinic = await newClinic(base)
  const at = NOW.toISOString()
  const message = { direction: 'outbound', type: 'text', status: 'queued', created_at: at, updated_at: at }
  const ids = ['out_1', 'out_2', 'out_3']
  await insert(base.owner, clinic, 'chat_message', ...ids.map((id) => ({ id, ...message })))
  const [conversation] = [{ id: 'v1', patient_phone: '+972501234567', patient_phone_local: '050-123-4567' }]
  await insert(base.owner, clinic, 'chat_conversation', { ...conversation, created_at: at, updated_at: at })
  const dueIn = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString()
  const sends = [-90, -30, 60].map((seconds, position) => ({
    message_id: ids[position] ?? '',
    position,
    due_at: dueIn(seconds),
  }))
  await insert(base.owner, clinic, 'chat_send', ...sends.map((one) => ({ ...one, conversation_id: 'v1' })))
  const sender = new SenderMetrics(
    base.app,
    () => NOW,
    () => 2,
  )
  sender.start()
  await sender.stop()
  sender.countSent('accepted')
  const figure = await collected()
  assert.equal(figure('chat_messages_in_flight'), 2)
  assert.equal(figure('chat_queue_waiting'), 2)
  assert.equal(figure('chat_queue_oldest_due_seconds'), 90)
  assert.equal(figure('chat_messages_total', { outcome: 'accepted' }), 1)
})

test('a backend tells how many rows wait to be stored with the answers of reads', async () => {
  const collected = measured()
  const { promise: storing, resolve: store } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const audit = () => {
    begin()
    return storing
  }
  const trail = trailOf({ audit }, failingLog)
  const seen = { surface: 'rest', resource_ids: ['p1'], patient_ids: ['p1'], count: 1, status: 200 } as const
  const row = { ...seen, at: NOW.toISOString(), clinic_id: 'north', key_id: 'k1', operation: 'patients.get' }
  const add = () => trail.add({ ...row, request_id: 'req_1', address: '192.0.2.1' })
  const first = add()
  await begun
  const others = [add(), add()]
  assert.equal((await collected())('backend_audit_waiting'), 2)
  store()
  await Promise.all([first, ...others])
  assert.equal((await collected())('backend_audit_waiting'), 0)
})

test('a pool whose connections are all in use tells how many requests wait', async () => {
  const collected = measured()
  const database = await openDatabase({ url: base.url, writeConnections: 1 })
  const [{ promise, resolve }, clinic] = [Promise.withResolvers<void>(), await newClinic(base)]
  const writes = [database.write(clinic, () => promise), database.write(clinic, () => promise)]
  const end = observeDatabase(database)
  const pool = { db_client_connection_pool_name: 'writes' }
  const figure = await collected()
  assert.equal(figure('db_client_connection_max', pool), 1)
  assert.equal(figure('db_client_connection_pending_requests', pool), 1)
  resolve()
  await Promise.all(writes)
  const later = await collected()
  assert.equal(later('db_client_connection_open', { ...pool, db_client_connection_state: 'idle' }), 1)
  assert.equal(later('db_client_connection_pending_requests', pool), 0)
  end()
  await database.close()
})

test('a job that fails grows older than its interval, and what waits for a seal and what copies the database has is told', async () => {
  const collected = measured()
  const jobs = [{ name: 'seal_audit', everyMs: 60_000 }]
  const oldestAt = NOW.getTime() - 300_000
  const unsealed = () => ({ rows: 7, oldestAt })
  const follower = { lag: { clinics: 3, since: oldestAt }, exportedRows: 12 }
  const copies: { standbys: number | null; archiveFails: boolean | null } = { standbys: null, archiveFails: null }
  const background = new BackgroundMetrics({ jobs, unsealed, copies: () => copies, follower, now: () => NOW })
  const unseen = await collected()
  assert.deepEqual([unseen('db_standbys'), unseen('db_archive_failing')], [undefined, undefined])
  Object.assign(copies, { standbys: 2, archiveFails: true })
  const before = (await collected())('background_job_age_seconds', { task: 'seal_audit' }) ?? 0
  background.jobFailed('seal_audit')
  background.jobDone('seal_audit')
  const figure = await collected()
  assert.ok(before > 0)
  assert.ok((figure('background_job_age_seconds', { task: 'seal_audit' }) ?? before) < before + 1)
  assert.equal(figure('background_job_interval_seconds', { task: 'seal_audit' }), 60)
  assert.equal(figure('audit_unsealed_rows'), 7)
  assert.equal(figure('audit_unsealed_age_seconds'), 300)
  assert.deepEqual([figure('db_standbys'), figure('db_archive_failing')], [2, 1])
  assert.deepEqual([figure('audit_export_lag_seconds'), figure('audit_export_waiting_clinics')], [300, 3])
  assert.equal(figure('audit_exported_rows_total'), 12)
  assert.equal(figure('background_job_failures_total', { task: 'seal_audit' }), 1)
})

test('a gateway whose Redis is away says that it counts by itself', async () => {
  const collected = measured()
  const log = { warn: () => undefined, info: () => undefined }
  // Nothing listens there.
  const limit = new RedisRateLimit({ url: 'redis://127.0.0.1:1', log })
  assert.equal((await collected())('gateway_rate_limit_alone'), 1)
  limit.close()
})

const SECONDS = { minute: 60, hour: 3_600, sixHours: 21_600 }
/** The pages about what is kept, and for how long, count on these. */
const EVERY: Readonly<Record<string, number>> = {
  seal_audit: SECONDS.minute,
  look_at_copies: SECONDS.minute,
  expire_deliveries: SECONDS.minute,
  end_stray_deliveries: SECONDS.minute,
  maintain_events: SECONDS.hour,
  maintain_audit: SECONDS.hour,
  forget_answers: SECONDS.hour,
  erase_former_secrets: SECONDS.hour,
  reseal_secrets: SECONDS.hour,
  forget_attempt_hours: SECONDS.hour,
  watch_audit: 5 * SECONDS.minute,
  forget_audit_hours: SECONDS.hour,
  remove_ended_sign_ins: SECONDS.hour,
  adopt_integrations: SECONDS.hour,
  fill_name_sounds: 10 * SECONDS.minute,
  remove_unused_files: SECONDS.sixHours,
  delete_clinics: SECONDS.hour,
}

test('the dispatcher does each job as often as is promised', async () => {
  const silent = () => undefined
  // The secrets of other tests' subscriptions cannot be opened, and that is told.
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const collected = measured()
  const background = startBackground({
    database: base.app,
    asOwner: (work) => work(base.owner),
    log,
    auditKeys: signingKeys(parseSecretKeys(secretKeysText), 'audit-head'),
    webhookKeys,
    eventRetentionDays: 30,
    auditRetentionDays: null,
    packAudit: null,
    follower: null,
    mailing: null,
    alerting: { mail: null, webhook: null, consoleUrl: null },
  })
  await background.idle()
  await background.stop()
  const figure = await collected()
  for (const [task, seconds] of Object.entries(EVERY))
    assert.equal(figure('background_job_interval_seconds', { task }), seconds, task)
  assert.equal(figure('db_standbys'), 0)
})

test('the age of the last backup is shown, or that of the database where none was made, and how much of the disk is free', async (t) => {
  const collected = measured()
  const dataDir = await mkdtemp(join(tmpdir(), 'data-folder-'))
  t.after(() => rm(dataDir, { recursive: true }))
  t.after(observeDataFolder(dataDir, () => NOW.getTime()))
  assert.equal((await collected())('backup_age_seconds'), undefined)
  const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
  await mkdir(join(dataDir, 'pg'))
  await writeFile(join(dataDir, 'pg', 'PG_VERSION'), '18\n')
  await utimes(join(dataDir, 'pg', 'PG_VERSION'), ago(7_200), ago(7_200))
  assert.equal((await collected())('backup_age_seconds'), 7_200)
  await markBackup(dataDir, NOW.toISOString())
  await utimes(join(dataDir, 'last-backup'), ago(60), ago(60))
  const figure = await collected()
  assert.equal(figure('backup_age_seconds'), 60)
  const free = figure('data_folder_free_ratio') ?? assert.fail()
  assert.ok(free > 0 && free <= 1, `${free}`)
})
