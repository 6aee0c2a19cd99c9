// The audit log as rows and packed into segments: what a row takes on the disk, what packing costs beside storing, and how long questions
// of the activity and the proof take.
//
//   node bench/audit.ts [rows] [--ids demo|new] [--packed [--folder FOLDER]]
//
// 300,000 rows, in a new database in TMPDIR. `new`: ids as this program makes them. `--packed`: packs as it fills, and asks the packed log
// alone. `--folder` keeps the database, and a second run with the same folder asks it at once.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { type ActivitySearch, listActivity } from '@clinic-data/administration/pages/activity'
import { appendAudit, type StoredAuditRow } from '@clinic-data/audit/audit'
import { BEGINNING } from '@clinic-data/audit/audit-chain'
import { verifyAudit } from '@clinic-data/audit/audit-verify'
import { packInThread } from '@clinic-data/audit/packing-thread'
import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { CONSOLE_ROLE } from '@clinic-data/database/schema/application-login'
import { admitLogin } from '@clinic-data/database/schema/migrate'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import {
  type ChainEnd,
  type Draft,
  fillDay,
  type IdForm,
  type Keys,
  RARE,
  ROWS_A_DAY,
  Traffic,
} from './audit-ground.ts'
import { openBenchDatabase } from './bench-database.ts'
import { cpuOfFamily } from './cpu-time.ts'
import { median } from './wrk.ts'

const DAY_MS = 86_400_000
/** The last day has ended long enough ago to be packed. */
const YOUNGEST_DAYS = 3
/** Appended to compare with: in the gateway's batches. */
const APPENDED = 20_000
const BATCH = 32
const ASKED = 20
const PAGE = 25
/** With `--packed`: the rows of so many days stand on the disk at once. */
const DAYS_AT_ONCE = 50

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ids: { type: 'string', default: 'demo' },
    packed: { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
})
const count = Number(positionals[0] ?? 300_000)
const { ids } = values
if (!Number.isSafeInteger(count) || count < 1 || (ids !== 'demo' && ids !== 'new'))
  throw new Error('node bench/audit.ts [rows] [--ids demo|new] [--packed [--folder FOLDER]]')
if (values.folder !== undefined && !values.packed) throw new Error('--folder keeps a packed log')

const now = new Date()
const folder = await folderOf(values.folder)
const keys = signingKeys(parseSecretKeys(await secretOf(join(folder, 'secret'))), 'audit-head')
// The server may run as another user, and reads files from here.
await chmod(folder, 0o755)
const dataDir = join(folder, 'database')
await mkdir(dataDir, { recursive: true, mode: 0o700 })
const { server, owner, close } = await openBenchDatabase(dataDir)
const postgres = await firstProcess()
const forConsole = await openForConsole()
try {
  await measure(ids)
} finally {
  await forConsole.close()
  await close()
  if (values.folder === undefined) await rm(folder, { recursive: true })
}

async function folderOf(kept: string | undefined): Promise<string> {
  if (kept === undefined) return mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
  await mkdir(kept, { recursive: true })
  return kept
}

async function secretOf(file: string): Promise<string> {
  if (!existsSync(file)) await writeFile(file, `bench:${randomBytes(32).toString('base64')}`, { mode: 0o600 })
  return readFile(file, 'utf8')
}

/** A log that is whole, as its folder keeps it. */
interface Filled {
  count: number
  form: IdForm
  clinic: Clinic
  keysOf: Keys
  firstDayMs: number
}

async function filled(form: IdForm, days: number): Promise<Filled & { traffic: Traffic }> {
  const file = join(folder, 'filled.json')
  if (existsSync(file)) {
    const log = JSON.parse(await readFile(file, 'utf8')) as Filled
    if (log.count !== count || log.form !== form) throw new Error(`the folder has ${log.count} rows, ids: ${log.form}`)
    return { ...log, traffic: new Traffic(log.keysOf, form, log.firstDayMs, days) }
  }
  const firstDayMs = Math.floor(now.getTime() / DAY_MS - days - YOUNGEST_DAYS) * DAY_MS
  const made = await newClinic('audited')
  const traffic = new Traffic(made.keysOf, form, firstDayMs, days)
  await fill(made.clinic, traffic, firstDayMs, days)
  const log: Filled = { count, form, ...made, firstDayMs }
  await writeFile(file, JSON.stringify(log))
  return { ...log, traffic }
}

async function measure(form: IdForm): Promise<void> {
  const days = Math.ceil(count / ROWS_A_DAY)
  const { clinic, keysOf, firstDayMs, traffic } = await filled(form, days)
  const questions = questionsOf(keysOf, traffic, new Date(firstDayMs + Math.floor(days / 2) * DAY_MS))
  if (values.packed) return tellPacked(clinic, questions)
  tell(`${count} rows of ${days} days, ids: ${form}`, ['bytes a row'])
  await tellTable()
  await tellQuestions('as rows', clinic, questions)
  await tellProof('as rows', clinic)
  tell('a thousand rows', ['rows/s', 'this process, CPU s', 'PostgreSQL, CPU s', 'both', 'longest turn, ms'])
  await append(traffic, days)
  await tellCosts('packed (`packInThread`)', count, pack)
  await tellPacked(clinic, questions)
}

async function tellPacked(clinic: Clinic, questions: Questions): Promise<void> {
  tell('packed', ['bytes a row'])
  await tellSegments()
  await tellQuestions('packed', clinic, questions)
  await tellProof('packed', clinic)
}

async function firstProcess(): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1])
}

async function openForConsole(): Promise<Database> {
  // A login of its own at each run: nobody keeps the password.
  const [name, password] = [`bench_${randomBytes(4).toString('hex')}`, randomBytes(24).toString('base64url')]
  await admitLogin(owner, { role: CONSOLE_ROLE, name, password })
  const { href: url } = Object.assign(new URL(server.ownerUrl), { username: name, password })
  return openDatabase({ url, ownerUrl: server.ownerUrl })
}

async function newClinic(clinic_id: string): Promise<{ clinic: Clinic; keysOf: Keys }> {
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Audited clinic', now })
  const mint = async (name: string) => {
    const wanted = { clinic_id, name, scopes: ['patients:read'] as const, expires_at: null, rate_limit: null, now }
    return (await mintKey(owner, wanted)).id
  }
  const readers: string[] = []
  for (let n = 1; n <= 6; n++) readers.push(await mint(`Reader ${n}`))
  const keysOf: Keys = {
    readers,
    feed: await mint('Feed'),
    agent: await mint('Agent'),
    site: await mint('Site'),
    exchange: newId('it', now),
    subscriptions: [newId('wh', now), newId('wh', now)],
  }
  return { clinic, keysOf }
}

async function fill({ clinic_id }: Clinic, traffic: Traffic, firstDayMs: number, days: number): Promise<void> {
  const filling = { clinic_id, traffic, keys, folder }
  const startedAt = performance.now()
  let end: ChainEnd = BEGINNING
  for (let number = 0; number < days; number++) {
    const [from = 0, to = 0] = [number, number + 1].map((n) => Math.floor((count * n) / days))
    end = await fillDay(owner, filling, { number, startMs: firstDayMs + number * DAY_MS, rows: to - from }, end)
    if (values.packed && ((number + 1) % DAYS_AT_ONCE === 0 || number === days - 1)) await pack()
  }
  process.stderr.write(`made in ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
}

function tell(heading: string, columns: readonly string[]): void {
  process.stdout.write(`\n| ${[heading, ...columns].join(' | ')} |\n|---|${columns.map(() => '---|').join('')}\n`)
}

function tellRow(name: string, ...values: readonly (string | number)[]): void {
  process.stdout.write(`| ${[name, ...values].join(' | ')} |\n`)
}

function perRow(bytes = 0): string {
  return (bytes / count).toFixed(1)
}

async function tellTable(): Promise<void> {
  const { rows } = await owner.query<{ table_bytes: number; index_bytes: number }>(sql`
    select sum(pg_table_size(inhrelid))::float8 as table_bytes, sum(pg_indexes_size(inhrelid))::float8 as index_bytes
    from pg_inherits where inhparent = 'audit'::regclass`)
  const { table_bytes = 0, index_bytes = 0 } = rows[0] ?? {}
  tellRow('the table', perRow(table_bytes))
  tellRow('its indexes', perRow(index_bytes))
  tellRow('both', perRow(table_bytes + index_bytes))
}

async function tellSegments(): Promise<void> {
  await owner.query(sql`vacuum (analyze) audit_segment, audit_segment_names`)
  const { rows } = await owner.query<Record<string, number>>(sql`
    select pg_total_relation_size('audit_segment')::float8 as segments,
      (select sum(octet_length(content)) from audit_segment)::float8 as content,
      pg_total_relation_size('audit_segment_names')::float8 as names,
      (select sum(octet_length(fingerprints)) from audit_segment_names)::float8 as fingerprints,
      (select count(*) from audit_segment)::float8 as number`)
  const { segments = 0, content, names = 0, fingerprints, number = 0 } = rows[0] ?? {}
  tellRow(`${number} segments, with TOAST and indexes`, perRow(segments))
  tellRow('of it their content', perRow(content))
  tellRow('names, with their indexes', perRow(names))
  tellRow('of it the fingerprints', perRow(fingerprints))
  tellRow('both', perRow(segments + names))
}

/** Measures the time, the CPU time of this process and of the whole PostgreSQL, and how long nothing else had a turn in this process. */
async function tellCosts(name: string, rows: number, work: () => Promise<void>): Promise<void> {
  const turns = monitorEventLoopDelay({ resolution: 1 })
  turns.enable()
  const [own, theirs, startedAt] = [process.cpuUsage(), cpuOfFamily(postgres), performance.now()]
  await work()
  const tookMs = performance.now() - startedAt
  turns.disable()
  const { user, system } = process.cpuUsage(own)
  const costs = [user + system, cpuOfFamily(postgres) - theirs].map((us) => us / 1000 / rows)
  const sum = costs.reduce((total, one) => total + one, 0)
  const cells = [...costs, sum].map((cost) => cost.toFixed(3))
  tellRow(name, Math.round((rows * 1000) / tookMs), ...cells, Math.round(turns.max / 1e6))
}

/** Another clinic's rows of today, so that the questions' clinic has past days alone. */
async function append(traffic: Traffic, days: number): Promise<void> {
  const { clinic } = await newClinic('appended')
  const rowOf = ({ at, ...draft }: Draft) =>
    ({ ...draft, clinic_id: clinic.clinic_id, at: at.toISOString() }) as StoredAuditRow
  const rows = Array.from({ length: APPENDED }, () => rowOf(traffic.draft(days - 1, now)))
  const store = async (some: readonly StoredAuditRow[]) => {
    for (let at = 0; at < some.length; at += BATCH) await appendAudit(owner, some.slice(at, at + BATCH))
  }
  await store(rows.slice(0, APPENDED / 10))
  await tellCosts(`appended in batches of ${BATCH} (\`appendAudit\`)`, APPENDED, () => store(rows))
}

async function pack(): Promise<void> {
  const { failures, waiting } = await packInThread({ ownerUrl: server.ownerUrl, now })
  if (failures.length > 0 || waiting.length > 0) throw new AggregateError(failures, `not packed: ${waiting}`)
}

type Questions = Readonly<Record<string, Omit<ActivitySearch, 'limit'>>>

function questionsOf({ readers, feed }: Keys, traffic: Traffic, middle: Date): Questions {
  const day = middle.toISOString().slice(0, 10)
  const [reader = ''] = readers
  return {
    'the first page': {},
    'of a key': { actor: reader },
    'of a key with one row, the oldest': { actor: RARE.key_id },
    'of a patient': { patient_id: traffic.usualPatient },
    'of a patient with one row': { patient_id: RARE.patient_id },
    'of a record': { resource_id: traffic.usualVisit },
    refused: { outcome: 'refused' },
    'a key and an operation that never met': { actor: feed, operation: 'patients.get' },
    'a day in the middle': { from: day, to: day },
  }
}

async function tellQuestions(heading: string, clinic: Clinic, questions: Questions): Promise<void> {
  tell(`questions, ${heading}`, ['median (ms)', 'worst (ms)', 'rows of the first page', 'a whole answer'])
  for (const [name, question] of Object.entries(questions)) {
    const ask = () => listActivity(forConsole, clinic, { ...question, limit: PAGE }, now)
    const { data, meta } = await ask()
    const times: number[] = []
    for (let n = 0; n < ASKED; n++) {
      const startedAt = performance.now()
      await ask()
      times.push(performance.now() - startedAt)
    }
    const isWhole = data.length === PAGE || meta.next_cursor === null
    tellRow(name, median(times).toFixed(1), Math.max(...times).toFixed(1), data.length, isWhole ? 'yes' : 'no')
  }
}

async function tellProof(heading: string, { clinic_id }: Clinic): Promise<void> {
  const startedAt = performance.now()
  const verdict = await verifyAudit(owner, clinic_id, { keys, keptSince: null, expected: null })
  if (!verdict.sound || verdict.rows !== count) throw new Error(`the log is not proven: ${JSON.stringify(verdict)}`)
  tell(`proof, ${heading}`, ['rows/s'])
  tellRow('`verifyAudit`', Math.round((count * 1000) / (performance.now() - startedAt)))
}
