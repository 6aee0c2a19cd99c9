// Writes per second of one operation through `clinicd serve`, in turn with a bare Fastify route that stores the same rows, for one
// clinic and for eight. Shared by `leads.ts` and `payments.ts`.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { type Database, sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { freePorts } from '@clinic-data/testing/free-port'
import { openBenchDatabase } from './bench-database.ts'
import { report } from './goal.ts'
import { answering, serve, start } from './served.ts'
import type { MeasuredWrite } from './writes.ts'
import { load, type Measured, median } from './wrk.ts'

const CLINICS = 8
/** A key runs at most 20 requests at once. */
const KEYS_PER_CLINIC = 4
const ROUNDS = 3
/** The loads, in turn: the first one's ratio is the goal. */
const LOADS = [
  { clinics: 1, isGoal: true },
  { clinics: CLINICS, isGoal: false },
]

/** Measures in a separate database, which is removed afterwards. */
export async function measureWrites(write: MeasuredWrite, seconds: number, onlyGoal: boolean): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
  const { server, owner, close } = await openBenchDatabase(dataDir)
  const [port = 0, adminPort = 0, barePort = 0] = await freePorts(3)
  const service = serve({ DATABASE_URL: server.ownerUrl, PORT: String(port), ADMIN_PORT: String(adminPort) })
  const bare = start([join(import.meta.dirname, 'bare-writes.ts'), server.ownerUrl, String(barePort)])
  try {
    const keys = await Promise.all(Array.from({ length: CLINICS }, () => keysOfClinic(owner, write)))
    const urls = { ours: `http://127.0.0.1:${port}`, bare: `http://127.0.0.1:${barePort}` }
    await Promise.all([answering(`${urls.ours}/readyz`, service), answering(`${urls.bare}/readyz`, bare)])
    process.stdout.write(
      '| write | clinics | connections | ours, per second | bare, per second | ratio | ours p50, p99 (ms) |\n|---|---|---|---|---|---|---|\n',
    )
    for (const { clinics, isGoal } of onlyGoal ? LOADS.slice(0, 1) : LOADS) {
      const { connections } = write
      const ratio = await compare(owner, write, urls, { keys: keys.slice(0, clinics), clinics, connections, seconds })
      if (isGoal) {
        const name = `${write.name} of one clinic, ${connections} connections`
        const opponent = 'a bare Fastify route that stores the same rows by hand'
        report({ name, value: ratio * 100, unit: '%', limit: { atLeast: 60 }, opponent })
      }
    }
  } finally {
    await Promise.all([service.stop(), bare.stop()])
    await close()
    await rm(dataDir, { recursive: true })
  }
}

interface Run {
  keys: readonly (readonly string[])[]
  clinics: number
  connections: number
  seconds: number
}

/**
 * Alternates both, so that a change of the machine's speed affects both. The first round only warms up. After it the statistics are
 * taken, as autovacuum would within a minute: plans that were made for empty tables read whole tables.
 */
async function compare(
  owner: Database,
  write: MeasuredWrite,
  urls: { ours: string; bare: string },
  run: Run,
): Promise<number> {
  const { clinics, connections } = run
  const pairs: [Measured, Measured][] = []
  for (let round = 0; round <= ROUNDS; round++) {
    pairs.push([await measure(owner, write, urls.ours, run), await measure(owner, write, urls.bare, run)])
    if (round === 0) await owner.query(sql`vacuum analyze`)
  }
  const measured = pairs.slice(1)
  const rate = (which: 0 | 1) => Math.round(median(measured.map((pair) => pair[which].requestsPerSecond)))
  const ratio = median(measured.map(([ours, bare]) => ours.requestsPerSecond / bare.requestsPerSecond))
  const latency = (which: 'p50Ms' | 'p99Ms') => median(measured.map(([ours]) => ours[which])).toFixed(1)
  process.stdout.write(
    `| ${write.name} | ${clinics} | ${connections} | ${rate(0)} | ${rate(1)} | ${(ratio * 100).toFixed(0)} % | ${latency('p50Ms')}, ${latency('p99Ms')} |\n`,
  )
  return ratio
}

async function measure(owner: Database, write: MeasuredWrite, url: string, run: Run): Promise<Measured> {
  const { keys, connections, seconds } = run
  const before = await countsOf(owner, write.counted)
  // The keys of one clinic do not follow one another.
  const inTurn = Array.from({ length: KEYS_PER_CLINIC }, (_, i) => keys.map((ofClinic) => ofClinic[i])).flat()
  const env = { KEYS: inTurn.join(','), RUN: randomBytes(4).toString('hex') }
  const measured = load({
    url,
    key: '',
    connections,
    seconds,
    script: { file: join(import.meta.dirname, write.script), env },
  })
  const after = await countsOf(owner, write.counted)
  const stored = after.map((count, i) => count - (before[i] ?? 0))
  const least = measured.requestsPerSecond * seconds
  if (stored.some((count) => count < least * 0.9)) throw new Error(`answered ${least} times, stored ${stored}`)
  return measured
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
