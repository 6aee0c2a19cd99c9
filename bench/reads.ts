// Reads per second and the CPU time of a read, in turn within one run: `clinicd serve`, and beside it a bare Fastify route that makes the same
// two look-ups (key, data), gateway and backend as two processes, and two workers.
//
//   node bench/reads.ts [seconds a run] [--sides bare,apart,workers]    needs wrk (Debian package wrk); makes its clinic once, in .data/bench:
//                                                                       100,000 patients, 1,000,000 appointments
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from '@clinic-data/database'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { childrenOf, cpuOf } from './cpu-time.ts'
import { type Goal, report } from './goal.ts'
import { answering, type Served, serve, start } from './served.ts'
import { load, median, WARM_UP_SECONDS } from './wrk.ts'

const ROUNDS = 5
const GOAL_CONNECTIONS = 64
const CONNECTIONS = [GOAL_CONNECTIONS, 16]
const DAY_MS = 86_400_000
/** Page 1,000 of a list, and the size of its pages. */
const DEEP_PAGE = 1000
const PAGE_SIZE = 25
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sides: { type: 'string', default: 'bare,apart,workers' } },
})
const seconds = Number(positionals[0] ?? 4)

/** The first process answers the load. */
type Side = { readonly url: string; readonly processes: readonly Served[] }
type Measured = ReturnType<typeof measured>
type Pair = { ours: Measured; other: Measured }

interface Read {
  name: string
  path: string
  /** In percent. */
  toBare: number
  apart: number
}

const { server, owner, close } = await openBenchDatabase(KEPT)
const postmaster = Number(readFileSync(join(KEPT, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0])
const sides = new Map<string, Side>()
const database = { DATABASE_URL: server.ownerUrl }
const token = { BACKEND_TOKEN: randomBytes(32).toString('hex') }

const started: Readonly<Record<string, () => Side>> = {
  ours: () => ({ url: at(18080), processes: [serve({ ...database, PORT: '18080', ADMIN_PORT: '18081' })] }),
  bare: () => ({
    url: at(18082),
    processes: [start([join(import.meta.dirname, 'bare-server.ts'), server.appUrl, '18082'])],
  }),
  apart: () => {
    const gateway = { ...token, BACKEND_URL: at(18085), PORT: '18083', ADMIN_PORT: '18084' }
    return {
      url: at(18083),
      processes: [
        serve(gateway, '--role', 'gateway'),
        serve({ ...database, ...token, ADMIN_PORT: '18085' }, '--role', 'backend'),
      ],
    }
  },
  workers: () => ({
    url: at(18086),
    processes: [serve({ ...database, PORT: '18086', ADMIN_PORT: '18087' }, '--workers', '2')],
  }),
}

try {
  const clinic = await benchClinic(owner, { clinic_id: 'bench', patients: 100_000, appointments_per_patient: 10 })
  const key = await benchKey(owner, clinic, ['patients:read', 'appointments:read'])
  const { rows } = await owner.query<{ id: string }>(
    sql`select id from patient where clinic_id = ${clinic.clinic_id} order by id limit 1`,
  )
  const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)
  const list = `/v1/appointments?from=${day(-30)}&to=${day(-20)}`
  const reads = [
    { name: 'GET /v1/patients/{id}', path: `/v1/patients/${rows[0]?.id}`, toBare: 90, apart: 65 },
    { name: 'GET /v1/appointments, 25 rows', path: list, toBare: 85, apart: 80 },
  ]
  for (const name of ['ours', ...values.sides.split(',')]) sides.set(name, await opened(name))
  const columns = ['read', 'connections', 'ours, the other: requests/s', 'ratio', 'CPU of the service (µs)']
  const more = ['of PostgreSQL', 'of its first process', 'p50, p99 of ours (ms)']
  process.stdout.write(`| ${[...columns, ...more].join(' | ')} |\n|${'---|'.repeat(columns.length + more.length)}\n`)
  for (const read of reads) for (const name of sides.keys()) if (name !== 'ours') compare(name, read, key)
  await comparePages(key)
} finally {
  for (const { processes } of sides.values()) await Promise.all(processes.map((one) => one.stop()))
  await close()
}

function at(port: number): string {
  return `http://127.0.0.1:${port}`
}

async function opened(name: string): Promise<Side> {
  const side = started[name]?.()
  const [first] = side?.processes ?? []
  if (side === undefined || first === undefined) throw new Error(`there is no ${name} among ${Object.keys(started)}`)
  // The bare server has no route for it, and answers that there is none.
  await answering(`${side.url}/readyz`, first)
  return side
}

/** Alternates both, so that a change of the machine's speed affects both. */
function compare(name: string, read: Read, key: string): void {
  const [ours, other] = [sides.get('ours'), sides.get(name)]
  if (ours === undefined || other === undefined) return
  for (const { url } of [ours, other])
    load({ url: url + read.path, key, connections: GOAL_CONNECTIONS, seconds: WARM_UP_SECONDS })
  for (const connections of CONNECTIONS) {
    const pairs: Pair[] = []
    for (let round = 0; round < ROUNDS; round++)
      pairs.push({
        ours: measured(ours, read.path, key, connections),
        other: measured(other, read.path, key, connections),
      })
    const both = (of: (one: Measured) => number) =>
      [median(pairs.map((pair) => of(pair.ours))), median(pairs.map((pair) => of(pair.other)))].map(Math.round)
    const ratio = (of: (pair: Pair) => number) => 100 * median(pairs.map(of))
    const rates = ratio((pair) => pair.other.requestsPerSecond / pair.ours.requestsPerSecond)
    const toBare = ratio((pair) => pair.ours.requestsPerSecond / pair.other.requestsPerSecond)
    const cpu = ratio((pair) => pair.other.cpuUs / pair.ours.cpuUs) - 100
    const cells = [
      ...[`${read.name}, ${name}`, connections, both((one) => one.requestsPerSecond).join(', ')],
      `${(name === 'bare' ? toBare : rates).toFixed(0)} %`,
      both((one) => one.cpuUs).join(', '),
      both((one) => one.databaseUs).join(', '),
      both((one) => one.firstUs).join(', '),
      [median(pairs.map(({ ours }) => ours.p50Ms)), median(pairs.map(({ ours }) => ours.p99Ms))]
        .map((ms) => ms.toFixed(1))
        .join(', '),
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
    if (connections === GOAL_CONNECTIONS) report(goalOf(name, read, { toBare, apart: rates, cpu }))
  }
}

function goalOf(name: string, read: Read, found: { toBare: number; apart: number; cpu: number }): Goal {
  const of = `${read.name}, ${GOAL_CONNECTIONS} connections`
  if (name === 'bare') {
    const opponent = 'a bare Fastify route with the same look-ups'
    return { name: of, value: found.toBare, unit: '%', limit: { atLeast: read.toBare }, opponent }
  }
  const opponent = 'one process'
  if (name === 'apart') {
    const limit = { atLeast: read.apart }
    return { name: `gateway and backend apart, ${of}`, value: found.apart, unit: '%', limit, opponent }
  }
  const workers = `two workers, CPU of Node.js beyond one process, ${of}`
  return { name: workers, value: found.cpu, unit: '%', limit: { atMost: 5 }, opponent }
}

/** Requests per second, and the CPU time of a request in the service, in its first process, and in PostgreSQL. */
function measured({ url, processes }: Side, path: string, key: string, connections: number) {
  const first = processes[0]?.process.pid ?? 0
  const all = processes.flatMap(({ process: { pid = 0 } }) => [pid, ...childrenOf(pid)])
  const groups = [[first], all, childrenOf(postmaster)]
  const before = groups.map((pids) => pids.map(cpuOf))
  const run = load({ url: url + path, key, connections, seconds })
  const [firstUs = 0, cpuUs = 0, databaseUs = 0] = groups.map((pids, group) => {
    // A process of PostgreSQL may have ended meanwhile.
    const used = pids.map((one, place) => Math.max(0, cpuOf(one) - (before[group]?.[place] ?? 0)))
    return used.reduce((sum, one) => sum + one, 0) / (run.requestsPerSecond * seconds)
  })
  return { ...run, firstUs, cpuUs, databaseUs }
}

/** Page 1 and page 1,000 of the appointments, alternating. */
async function comparePages(key: string): Promise<void> {
  const { url = '' } = sides.get('ours') ?? {}
  const first = `/v1/appointments?limit=${PAGE_SIZE}`
  let path = first
  for (let page = 1; page < DEEP_PAGE; page++) {
    const ask = () => fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    // This process slept while wrk ran, and the service closed the idle connection.
    const { next_cursor } = (await (await ask().catch(ask)).json()) as { next_cursor: string }
    path = `${first}&cursor=${next_cursor}`
  }
  const p99 = (page: string) => load({ url: url + page, key, connections: 8, seconds }).p99Ms
  const rounds = Array.from({ length: ROUNDS }, () => [p99(first), p99(path)] as const)
  const ratio = median(rounds.map(([one, deep]) => deep / one))
  report({ name: `p99 of page ${DEEP_PAGE}`, value: ratio, unit: '×', limit: { atMost: 1.2 }, opponent: 'page 1' })
}
