// Reads and writes per second of this checkout and of another one, in turn, each on its own copy of one database.
//
//   node bench/compare.ts OTHER [seconds a run] [rounds]    needs wrk (Debian package wrk). OTHER is a checkout with its packages
//                                                           installed; the clinic is made once, in .data/bench, as for reads.ts
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openDatabase, sql } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { openBenchDatabase } from './bench-database.ts'
import { keysOfClinic } from './measured-writes.ts'
import { answering, start } from './served.ts'
import { newLeads, newPayments } from './writes.ts'
import { type Load, load, type Measured, median } from './wrk.ts'

const CONNECTIONS = [64, 16]
const [other = '', seconds = '4', rounds = '5'] = process.argv.slice(2)
if (other === '') throw new Error('the other checkout is missing: node bench/compare.ts OTHER')
const root = dirname(import.meta.dirname)
const data = join(root, '.data')

interface Served {
  url: string
  stop(): Promise<void>
}
type Case = { name: string } & Omit<Load, 'url'> & { path: string }

const cases = await prepared()
const served: Served[] = []
try {
  served.push(await serve(root, 'compare-this', 18_100), await serve(other, 'compare-other', 18_110))
  const [ours, theirs] = served
  if (ours === undefined || theirs === undefined) throw new Error('two are compared')
  process.stdout.write(
    '| case | connections | this, per second | other | this / other | p99 this, other (ms) |\n|---|---|---|---|---|---|\n',
  )
  for (const one of cases) process.stdout.write(`${await compared(one, ours.url, theirs.url)}\n`)
} finally {
  for (const { stop } of served) await stop()
}

/** Makes the clinics and their keys in the database that both copy. */
async function prepared(): Promise<Case[]> {
  const { owner, close } = await openBenchDatabase(join(data, 'bench'))
  try {
    const { clinic_id } = await benchClinic(owner, {
      clinic_id: 'bench',
      patients: 100_000,
      appointments_per_patient: 10,
    })
    const now = new Date()
    const [patient] = (
      await owner.query<{ id: string }>(sql`
      select id from patient where clinic_id = ${clinic_id} order by id limit 1`)
    ).rows
    const key = await benchKey(owner, { clinic_id }, ['patients:read', 'appointments:read'])
    const day = (offset: number) => new Date(now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
    const reads = {
      'GET /v1/patients/{id}': `/v1/patients/${patient?.id}`,
      'GET /v1/appointments (25)': `/v1/appointments?from=${day(-30)}&to=${day(-20)}`,
    }
    const each = { seconds: Number(seconds) }
    const cases: Case[] = Object.entries(reads).flatMap(([name, path]) =>
      CONNECTIONS.map((connections) => ({ ...each, name, path, key, connections })),
    )
    for (const write of [newLeads, newPayments]) {
      const keys = await keysOfClinic(owner, write)
      const script = { file: join(import.meta.dirname, write.script), env: { KEYS: keys.join(',') } }
      cases.push({ ...each, name: write.name, path: '', key: '', connections: 16, script })
    }
    return cases
  } finally {
    await close()
  }
}

/** Serves a checkout on a copy of the database. It has this checkout's schema, and forgets the migrations that the other lacks. */
async function serve(checkout: string, name: string, port: number): Promise<Served> {
  const dataDir = join(data, name)
  await rm(dataDir, { recursive: true, force: true })
  await cp(join(data, 'bench'), dataDir, { recursive: true, verbatimSymlinks: true })
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
  const known = globSync('packages/*/migrations/*.sql', { cwd: checkout }).map((file) => basename(file, '.sql'))
  await owner.query(sql`delete from schema_migration where id <> all(${known}::text[])`)
  await owner.close()
  const ports = { PORT: String(port), ADMIN_PORT: String(port + 1) }
  const program = join(checkout, 'packages', 'server', 'bin', 'clinicd.mjs')
  const service = start([program, 'serve'], { DATABASE_URL: server.ownerUrl, ...ports })
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/readyz`, service)
  return {
    url,
    async stop() {
      await service.stop()
      await server.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** A row of the table. The rounds alternate, so that a change of the machine's speed affects both. */
async function compared(one: Case, ours: string, theirs: string): Promise<string> {
  const pairs: [Measured, Measured][] = []
  for (let round = 0; round < Number(rounds); round++) {
    const first = measured(one, round % 2 === 0 ? ours : theirs)
    const second = measured(one, round % 2 === 0 ? theirs : ours)
    pairs.push(round % 2 === 0 ? [first, second] : [second, first])
  }
  const figure = (which: 0 | 1, name: keyof Measured) => median(pairs.map((pair) => pair[which][name]))
  const ratio = median(pairs.map(([a, b]) => a.requestsPerSecond / b.requestsPerSecond))
  const rates = `${Math.round(figure(0, 'requestsPerSecond'))} | ${Math.round(figure(1, 'requestsPerSecond'))}`
  const p99 = `${figure(0, 'p99Ms').toFixed(1)}, ${figure(1, 'p99Ms').toFixed(1)}`
  return `| ${one.name} | ${one.connections} | ${rates} | ${ratio.toFixed(2)} | ${p99} |`
}

function measured({ path, script, ...one }: Case, url: string): Measured {
  const run = randomBytes(4).toString('hex')
  return load({ ...one, url: url + path, ...(script && { script: { ...script, env: { ...script.env, RUN: run } } }) })
}
