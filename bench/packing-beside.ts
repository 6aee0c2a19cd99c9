// Reads and new rows of the audit log beside what packing does to it: the migration that makes its tables, on a log with many rows, and a
// round that packs all of its days in a thread. How much longer the slow ones of them take than alone.
//
//   node bench/packing-beside.ts [rows] [days]    300,000 rows of 3 days; a new database each time, in TMPDIR
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { appendAudit, type StoredAuditRow } from '@clinic-data/audit/audit'
import { BEGINNING } from '@clinic-data/audit/audit-chain'
import { packInThread } from '@clinic-data/audit/packing-thread'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { newId } from '@clinic-data/contract/new-id'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase, sql, utcSession } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { migrate } from '@clinic-data/database/schema/migrate'
import { type ChainEnd, fillDay, Traffic } from './audit-ground.ts'

const DAY_MS = 86_400_000
/** The last day has ended long enough ago to be packed. */
const YOUNGEST_DAYS = 3
/** The first version of the tables that hold segments. */
const SEGMENTS = '0075'
const ALONE_MS = 20_000
const PAUSE_MS = 5
const PAGE = 25
const BATCH = 8

const [count = 300_000, days = 3] = process.argv.slice(2).map(Number)
if (![count, days].every(Number.isSafeInteger) || days < 1 || count < days)
  throw new Error('node bench/packing-beside.ts [rows] [days]')

const clinic_id = 'audited'
const keys = signingKeys(parseSecretKeys(`bench:${randomBytes(32).toString('base64')}`), 'audit-head')
const folder = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
// The server may run as another user, and reads files from here.
await chmod(folder, 0o755)
const dataDir = join(folder, 'database')
await mkdir(dataDir, { mode: 0o700 })
const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
try {
  await measure()
} finally {
  await owner.close()
  await server.stop()
  await rm(folder, { recursive: true })
}

async function measure(): Promise<void> {
  const earlier = migrations.filter(({ id }) => id < SEGMENTS)
  await migrate(owner, earlier, { tables, log: () => undefined })
  await fill()
  process.stdout.write(
    '\n| beside it | took (s) | read: p50, p99, worst (ms) | append: p50, p99, worst (ms) |\n|---|---|---|---|\n',
  )
  await tell('nothing', () => delay(ALONE_MS))
  await tell('the migration', () => migrate(owner, migrations, { tables, log: () => undefined }))
  await tell('nothing, again', () => delay(ALONE_MS))
  await tell(`packing ${count} rows`, async () => {
    const { failures, waiting } = await packInThread({ ownerUrl: server.ownerUrl, now: new Date() })
    if (failures.length > 0) throw new AggregateError(failures, 'not packed')
    process.stderr.write(`${waiting.length} of ${days} days wait for another round\n`)
  })
}

async function fill(): Promise<void> {
  const firstDayMs = Math.floor(Date.now() / DAY_MS - days - YOUNGEST_DAYS) * DAY_MS
  const keysOf = {
    readers: ['key_1', 'key_2', 'key_3'],
    feed: 'key_4',
    agent: 'key_5',
    site: 'key_6',
    exchange: 'it_1',
    subscriptions: ['wh_1', 'wh_2'],
  }
  const filling = { clinic_id, traffic: new Traffic(keysOf, 'demo', firstDayMs, days), keys, folder }
  let end: ChainEnd = BEGINNING
  for (let number = 0; number < days; number++) {
    const [from = 0, to = 0] = [number, number + 1].map((n) => Math.floor((count * n) / days))
    end = await fillDay(owner, filling, { number, startMs: firstDayMs + number * DAY_MS, rows: to - from }, end)
  }
}

/** Runs the work, with reads and appended rows beside it, one after the other with a pause between them. */
async function tell(name: string, work: () => Promise<unknown>): Promise<void> {
  let isDone = false
  const [reads, appends]: [number[], number[]] = [[], []]
  const startedAt = performance.now()
  const working = work().finally(() => {
    isDone = true
  })
  const asking = (times: number[], ask: () => Promise<unknown>) => async () => {
    do {
      const askedAt = performance.now()
      await ask()
      times.push(performance.now() - askedAt)
      await delay(PAUSE_MS)
    } while (!isDone)
  }
  await Promise.all([working, asking(reads, read)(), asking(appends, append)()])
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`| ${name} | ${seconds} | ${figuresOf(reads)} | ${figuresOf(appends)} |\n`)
}

/** A page of the activity, as a version without segments asks for it. */
function read(): Promise<unknown> {
  return owner.read(
    utcSession(clinic_id),
    sql`select id, at, key_id, operation, resource_ids, status from audit where clinic_id = ${clinic_id} order by id desc limit ${PAGE}`,
  )
}

function append(): Promise<unknown> {
  const at = new Date()
  const row = (): StoredAuditRow => ({
    clinic_id,
    at: at.toISOString(),
    key_id: 'key_1',
    operation: 'patients.get',
    surface: 'rest',
    resource_ids: ['p1'],
    patient_ids: ['p1'],
    count: 1,
    status: 200,
    request_id: newId('req', at),
    address: '192.0.2.1',
    duration_ms: 3,
  })
  return appendAudit(owner, Array.from({ length: BATCH }, row))
}

function figuresOf(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `${at(0.5)}, ${at(0.99)}, ${(sorted.at(-1) ?? 0).toFixed(1)}`
}
