// Writes per second of one operation through `clinicd serve`, for one clinic and for eight. Shared by `leads.ts` and `payments.ts`.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClinic } from '@clinic-data/backend/clinics'
import { mintKey } from '@clinic-data/backend/keys'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { migrate } from '@clinic-data/database/schema/migrate'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import type { MeasuredWrite } from './writes.ts'
import { load } from './wrk.ts'

const CLINICS = 8
/** A key runs at most 20 requests at once. */
const KEYS_PER_CLINIC = 4
const CONNECTIONS = [16, 64]
const service = 'http://127.0.0.1:18090'

/** Measures in a separate database, which is removed afterwards. */
export async function measureWrites(write: MeasuredWrite, seconds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
  await migrate(owner, migrations, { tables, log: () => undefined })
  const child = spawn(
    process.execPath,
    [join(dirname(import.meta.dirname), 'packages', 'server', 'bin', 'clinicd.mjs'), 'serve'],
    {
      env: {
        ...process.env,
        DATABASE_URL: server.ownerUrl,
        SECRET_KEYS: `bench:${randomBytes(32).toString('base64')}`,
        PORT: '18090',
        ADMIN_PORT: '18091',
      },
      stdio: 'ignore',
    },
  )
  try {
    const keys = await Promise.all(Array.from({ length: CLINICS }, () => keysOfClinic(owner, write)))
    await reachable()
    process.stdout.write('| write | clinics | connections | per second | p50, p99 (ms) |\n|---|---|---|---|---|\n')
    for (const clinics of [1, CLINICS]) {
      for (const connections of CONNECTIONS) {
        await measure(owner, write, { keys: keys.slice(0, clinics), clinics, connections, seconds })
      }
    }
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await owner.close()
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
}

interface Run {
  keys: readonly (readonly string[])[]
  clinics: number
  connections: number
  seconds: number
}

async function measure(owner: Database, write: MeasuredWrite, { keys, clinics, connections, seconds }: Run) {
  const before = await countsOf(owner, write.counted)
  // The keys of one clinic do not follow one another.
  const inTurn = Array.from({ length: KEYS_PER_CLINIC }, (_, i) => keys.map((ofClinic) => ofClinic[i])).flat()
  const env = { KEYS: inTurn.join(','), RUN: randomBytes(4).toString('hex') }
  const { requestsPerSecond, p50Ms, p99Ms } = load({
    ...{ url: service, key: '', connections, seconds },
    script: { file: join(import.meta.dirname, write.script), env },
  })
  const after = await countsOf(owner, write.counted)
  const stored = after.map((count, i) => count - (before[i] ?? 0))
  const least = requestsPerSecond * seconds
  if (stored.some((count) => count < least * 0.9)) throw new Error(`answered ${least} times, stored ${stored}`)
  process.stdout.write(
    `| ${write.name} | ${clinics} | ${connections} | ${Math.round(requestsPerSecond)} | ${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)} |\n`,
  )
}

async function countsOf(owner: Database, names: readonly string[]): Promise<number[]> {
  const counts: number[] = []
  for (const name of names) {
    const { rows } = await owner.query<{ count: number }>(sql`select count(*) from ${sql.identifier(name)}`)
    counts.push(rows[0]?.count ?? 0)
  }
  return counts
}

/** The keys of a new clinic that has what the write needs. */
export async function keysOfClinic(owner: Database, { scope, prepare }: MeasuredWrite): Promise<string[]> {
  const now = new Date()
  const clinic_id = `bench-${randomBytes(4).toString('hex')}`
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Measured clinic', now })
  await prepare(owner, clinic)
  const rate_limit = 1_000_000
  const mint = () => mintKey(owner, { clinic_id, scopes: [scope], name: 'bench', expires_at: null, rate_limit, now })
  return Promise.all(Array.from({ length: KEYS_PER_CLINIC }, async () => (await mint()).key))
}

async function reachable(): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await fetch(`${service}/readyz`).catch(() => null)) return
    await delay(100)
  }
  throw new Error('the service does not answer')
}
