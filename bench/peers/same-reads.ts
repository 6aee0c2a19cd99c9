// The same reads asked of our service and of a peer in turn, on one PostgreSQL: first that both answer the same rows, then how many
// answers a second, and what they cost.
import { deepEqual } from 'node:assert/strict'
import { loadavg } from 'node:os'
import { report } from '../goal.ts'
import { type Load, load, type Measured, median } from '../wrk.ts'
import { openReadsGround, type ReadsGround } from './reads-ground.ts'
import type { Started } from './server-process.ts'

/** Answers of a process that has just started show its compiler. */
const WARMING_SECONDS = 3

/** A peer is asked this for one of our reads. */
export interface PeersRead {
  request: Pick<Load, 'key' | 'script'> & { path: string; body?: string }
  /** Its answer as ours is. */
  asOurs(answer: unknown): unknown
}

export interface ReadsPeer {
  /** With its version. */
  name: string
  /** How many times as many answers as it gives are the goal. */
  goal: number
  /** Unless the command line says otherwise. */
  rounds: number
  start(ground: ReadsGround): Promise<Started>
  /** Tells it what it must know before it can answer. */
  prepare?(theirs: Started): Promise<void>
  patient(id: string): PeersRead
  /** The first 25 by their start, with what they name. */
  appointments: PeersRead
}

interface SameRead extends PeersRead {
  name: string
  /** For our service. */
  path: string
}

interface Rounds {
  rounds: number
  seconds: number
  connections: number
}

interface Side {
  rate: number
  p99Ms: number
  /** Seconds of a thousand answers. */
  serverCpu: number
  databaseCpu: number
}

/** Takes the seconds of a run, the rounds and the connections from the command line. */
export async function compareReads(peer: ReadsPeer): Promise<void> {
  const [seconds = 3, rounds = peer.rounds, connections = 64] = process.argv.slice(2).map(Number)
  await using opened = new AsyncDisposableStack()
  const ground = await openReadsGround()
  opened.defer(() => ground.close())
  const theirs = await peer.start(ground)
  opened.defer(() => theirs.stop())
  await peer.prepare?.(theirs)
  const reads: readonly SameRead[] = [
    { name: 'patient by id', path: `/v1/patients/${ground.patientId}`, ...peer.patient(ground.patientId) },
    { name: '25 appointments, nested', path: '/v1/appointments?limit=25', ...peer.appointments },
  ]
  for (const read of reads) await sameRows(ground, theirs, read)
  const load = loadavg()[0]?.toFixed(1)
  process.stdout.write(`${connections} connections, ${rounds} rounds of ${seconds} s, load ${load}\n\n`)
  process.stdout.write(
    `| read | ours/s | ${peer.name}/s | ours / theirs | goal | p99 ours, theirs (ms) | CPU s of 1,000 answers, server + PostgreSQL: ours | theirs |\n|---|---|---|---|---|---|---|---|\n`,
  )
  for (const read of reads) {
    const row = compared(peer, { ground, theirs, read }, { rounds, seconds, connections })
    process.stdout.write(`${row}\n`)
  }
}

/** @throws AssertionError if the two answer other rows. */
async function sameRows(
  { ours, key }: ReadsGround,
  theirs: Started,
  { path, request, asOurs }: SameRead,
): Promise<void> {
  const [mine, other] = await Promise.all([
    answer(ours.url + path, { headers: { authorization: `Bearer ${key}` } }),
    answer(theirs.url + request.path, {
      headers: { authorization: `Bearer ${request.key}`, 'content-type': 'application/json' },
      ...(request.body !== undefined && { method: 'POST', body: request.body }),
    }),
  ])
  deepEqual(comparable(asOurs(other)), comparable((mine as { data: unknown }).data))
}

async function answer(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Instants have another form in each answer. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]))
}

/** A row of the table. The rounds alternate, so that a change of the machine's speed affects both. */
function compared(
  peer: ReadsPeer,
  { ground, theirs, read }: { ground: ReadsGround; theirs: Started; read: SameRead },
  { rounds, seconds, connections }: Rounds,
): string {
  const { ours, key } = ground
  const { path, body, ...options } = read.request
  const sides = [
    { server: ours, request: { url: ours.url + read.path, key, connections } },
    { server: theirs, request: { url: theirs.url + path, ...options, connections } },
  ]
  for (const { request } of sides) load({ ...request, seconds: WARMING_SECONDS })
  const pairs: Side[][] = []
  for (let round = 0; round < rounds; round++) {
    const turn = round % 2 === 0 ? sides : sides.toReversed()
    const measured = turn.map(({ server, request }) => sideOf({ ground, server, request: { ...request, seconds } }))
    pairs.push(round % 2 === 0 ? measured : measured.reverse())
  }
  const of = (which: 0 | 1, name: keyof Side) => median(pairs.map((pair) => pair[which]?.[name] ?? Number.NaN))
  const ratio = median(pairs.map(([one, other]) => (one?.rate ?? Number.NaN) / (other?.rate ?? Number.NaN)))
  const cpu = (which: 0 | 1) => `${of(which, 'serverCpu').toFixed(2)} + ${of(which, 'databaseCpu').toFixed(2)}`
  report({
    name: `${read.name}, beside ${peer.name}`,
    value: ratio,
    unit: '×',
    limit: { atLeast: peer.goal },
    opponent: peer.name,
  })
  return `| ${read.name} | ${Math.round(of(0, 'rate'))} | ${Math.round(of(1, 'rate'))} | ${ratio.toFixed(2)} | ${peer.goal} | ${of(0, 'p99Ms').toFixed(0)}, ${of(1, 'p99Ms').toFixed(0)} | ${cpu(0)} | ${cpu(1)} |`
}

function sideOf({ ground, server, request }: { ground: ReadsGround; server: Started; request: Load }): Side {
  const before = [server.cpuUs(), ground.databaseCpuUs()]
  const { requestsPerSecond, p99Ms }: Measured = load(request)
  const thousands = (requestsPerSecond * request.seconds) / 1000
  const [serverCpu = 0, databaseCpu = 0] = [server.cpuUs(), ground.databaseCpuUs()].map(
    (after, at) => (after - (before[at] ?? 0)) / 1_000_000 / thousands,
  )
  return { rate: requestsPerSecond, p99Ms, serverCpu, databaseCpu }
}
