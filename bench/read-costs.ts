// The CPU time of a read: ours, a bare Fastify route with the same look-ups, and another checkout of this program where one is named. They
// take short turns over one database, so that a machine that others use slows all of them alike.
//
//   node bench/read-costs.ts [rounds] [other checkout] [--apart] [--every]    makes the clinic of `reads.ts` once, in .data/bench
//
// `--apart`: gateway and backend are processes of their own. `--every`: beside the two reads that the bare server has a route for, a search,
// an empty look at the feed and a tool call.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Scope } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { childrenOf, exactCpuOf } from './cpu-time.ts'
import { type Read, ReadLoad } from './read-load.ts'
import { median } from './wrk.ts'

const CONNECTIONS = 64
const TURN_MS = 250
/** Node.js compiles a path of code anew several times, for some 15 seconds of load. More code takes longer. */
const WARM_ROUNDS = 60
const FIRST_PORT = 18280
const DAY_MS = 86_400_000
/** All that the reads need, and none that another checkout may not know. */
const SCOPES: readonly Scope[] = ['patients:read', 'appointments:read', 'catalog:read', 'webhooks:manage']

const {
  values: { apart, every },
  positionals: [howMany = '20', other],
} = parseArgs({
  options: { apart: { type: 'boolean', default: false }, every: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const rounds = Number(howMany)
if (!Number.isSafeInteger(rounds) || rounds < 1)
  throw new Error('node bench/read-costs.ts [rounds] [other checkout] [--apart] [--every]')

interface Turn {
  perSecond: number
  /** µs of a request, in each process of ours. */
  node: readonly number[]
  postgres: number
}

const root = dirname(import.meta.dirname)
const { server, owner, close } = await openBenchDatabase(KEPT)
/** The processes of each side: the one that the internet reaches is the first. */
const children = new Map<string, ChildProcess[]>()
try {
  const clinic = await benchClinic(owner, { clinic_id: 'bench', patients: 100_000, appointments_per_patient: 10 })
  const key = await benchKey(owner, clinic, SCOPES)
  const ports = await startAll()
  const { rows } = await owner.query<{ id: string }>(
    sql`select id from patient where clinic_id = ${clinic.clinic_id} order by id limit 1`,
  )
  const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)
  const reads: Record<string, Read> = {
    'by id': { path: `/v1/patients/${rows[0]?.id}` },
    'a list of 25': { path: `/v1/appointments?from=${day(-30)}&to=${day(-20)}` },
  }
  const columns = [
    'read',
    'requests/s',
    'Node.js, PostgreSQL (µs)',
    'rate to bare',
    'CPU of bare to it',
    'of the other',
  ]
  process.stdout.write(`| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}\n`)
  for (const [name, read] of Object.entries(reads)) tell(name, await measure(ports, read, key))
  ports.delete('bare')
  for (const [name, read] of Object.entries(every ? otherReads() : {})) tell(name, await measure(ports, read, key))
} finally {
  for (const child of [...children.values()].flat()) child.kill('SIGTERM')
  await close()
}

/** The reads that the bare server has no route for. */
function otherReads(): Record<string, Read> {
  const call = { name: 'appointments_list', arguments: { limit: 25 } }
  return {
    'a search': { path: '/v1/patients?query=levi' },
    'an empty look at the feed': { path: '/v1/events?limit=25' },
    'a tool call': { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call } },
  }
}

/** @returns the port of each side. */
async function startAll(): Promise<Map<string, number>> {
  const secrets = { SECRET_KEYS: `bench:${randomBytes(32).toString('base64')}` }
  const ports = new Map<string, number>()
  const start = (side: string, argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, argv, { cwd, env: { ...process.env, ...secrets, ...env }, stdio: 'ignore' })
    children.set(side, [...(children.get(side) ?? []), child])
  }
  const serve = async (side: string, cwd: string) => {
    const [port, ownAdmin, backend] = [0, 1, 2].map((n) => String(FIRST_PORT + 3 * ports.size + n)) as [
      string,
      string,
      string,
    ]
    const program = join(cwd, 'packages', 'server', 'bin', 'clinicd.mjs')
    const database = { DATABASE_URL: server.ownerUrl }
    const listening = { PORT: port, ADMIN_PORT: ownAdmin }
    if (apart) {
      const token = { BACKEND_TOKEN: randomBytes(32).toString('hex') }
      const gateway = { ...listening, ...token, BACKEND_URL: `http://127.0.0.1:${backend}` }
      start(side, [program, 'serve', '--role', 'gateway'], cwd, gateway)
      start(side, [program, 'serve', '--role', 'backend'], cwd, { ...database, ...token, ADMIN_PORT: backend })
    } else start(side, [program, 'serve'], cwd, { ...database, ...listening })
    ports.set(side, Number(port))
    await isReady(`http://127.0.0.1:${port}/readyz`)
  }
  await serve('ours', root)
  if (other !== undefined) await serve('the other', resolve(other))
  const port = FIRST_PORT + 3 * ports.size
  start('bare', [join(root, 'bench', 'bare-server.ts'), server.appUrl, String(port)], root, {})
  ports.set('bare', port)
  await isReady(`http://127.0.0.1:${port}/v1/me`)
  return ports
}

/** The bare server has no route for it, and refuses whom it does not know. */
async function isReady(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answered = await fetch(url).catch(() => null)
    if (answered !== null && answered.status < 500) return
    await delay(100)
  }
  throw new Error(`${url} does not answer`)
}

async function measure(ports: ReadonlyMap<string, number>, read: Read, key: string): Promise<Map<string, Turn[]>> {
  const postgres = await firstProcess()
  const turns = new Map([...ports.keys()].map((side): [string, Turn[]] => [side, []]))
  const loads = new Map<string, ReadLoad>()
  for (const [side, port] of ports) loads.set(side, await ReadLoad.open(port, read, key, CONNECTIONS))
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    // Each order as often as the other.
    const sides = round % 2 === 0 ? [...loads] : [...loads].reverse()
    for (const [side, load] of sides) {
      const costs = () => [
        cpuOfConnections(postgres),
        ...(children.get(side) ?? []).map(({ pid = 0 }) => exactCpuOf(pid)),
      ]
      const before = costs()
      const { answers, ms } = await load.turn(TURN_MS)
      const [ofPostgres = 0, ...node] = costs().map((used, place) => (used - (before[place] ?? 0)) / answers)
      if (round >= 0) turns.get(side)?.push({ perSecond: (answers * 1000) / ms, node, postgres: ofPostgres })
    }
  }
  for (const [side, load] of loads) {
    if (load.refused > 0) process.stderr.write(`${side}: ${load.refused} answers were refusals\n`)
    load.close()
  }
  return turns
}

/** Connections stay open for the run, so none of their time gets lost. */
function cpuOfConnections(postgres: number): number {
  return childrenOf(postgres).reduce((sum, pid) => sum + exactCpuOf(pid), 0)
}

async function firstProcess(): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1])
}

/** Ratios are of two turns that follow one another. */
function tell(name: string, turns: ReadonlyMap<string, readonly Turn[]>): void {
  const [bare = [], others = []] = [turns.get('bare'), turns.get('the other')]
  const percent = (values: readonly number[]) => (values.length === 0 ? '' : `${(median(values) * 100).toFixed(1)} %`)
  const cpu = ({ node, postgres }: Turn) => node.reduce((sum, of) => sum + of, postgres)
  for (const [side, all] of turns) {
    const rates = bare.map((one, round) => (all[round]?.perSecond ?? Number.NaN) / one.perSecond)
    const costs = bare.map((one, round) => cpu(one) / cpu(all[round] ?? one))
    const ofOther = others.map((one, round) => cpu(all[round] ?? one) / cpu(one))
    const perSecond = Math.round(median(all.map(({ perSecond }) => perSecond)))
    const node = (children.get(side) ?? []).map((_, place) =>
      Math.round(median(all.map((turn) => turn.node[place] ?? 0))),
    )
    const postgres = median(all.map((turn) => turn.postgres))
    const cells = [
      `${name}, ${side}`,
      perSecond,
      `${node.join(' + ')}, ${Math.round(postgres)}`,
      percent(rates),
      percent(costs),
      side === 'ours' ? percent(ofOther) : '',
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}
