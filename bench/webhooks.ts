// Deliveries per second and their latency, with and without bad endpoints beside the healthy ones: our engine and one global queue
// like other engines', alternating.
//
//   node bench/webhooks.ts [--seconds 8] [--events 2000] [--rounds 3] [--only burst,steady,hung,bad] [--policies lanes,global] [--profile folder]
//
// Events of 1 KB, four clinics with five healthy subscriptions each. The load is open: each event is made at its planned time, and
// its latency counts from that time.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Clinic } from '@clinic-data/contract'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import { openBenchDatabase } from './bench-database.ts'
import { report as reportGoal } from './goal.ts'
import { type Bad, CLINICS, HEALTHY_PER_CLINIC, happen, prepare, reset, secretKeys } from './webhook-ground.ts'
import type { ReceiverRequest, Report } from './webhook-receiver.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    events: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'burst,steady,hung,bad' },
    policies: { type: 'string', default: 'lanes,global' },
    profile: { type: 'string' },
  },
})
const EVENTS_PER_SECOND = 100
/** The first events of a burst are not measured: meanwhile connections are made and code is compiled. */
const BURST = { warmUpEvents: 400, events: Number(options.events), atOnce: 100 }
const WARM_UP_MS = 1_500
/** A delivery that has not arrived this long after the last event counts as never. */
const DRAIN_MS = { burst: 60_000, steady: 4_000 }
const BACKLOG = 10_000
const hung: Bad[] = [{ behaviour: 'hung', backlog: BACKLOG }]
const beside: Record<string, readonly Bad[]> = {
  steady: [],
  hung,
  bad: [
    ...hung,
    ...['trickling', 'refusing', 'redirecting', 'huge'].map((behaviour) => ({ behaviour, backlog: 1_000 })),
  ],
}

const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
const { server, owner, close } = await openBenchDatabase(dataDir)
const app = await openDatabase({ url: server.appUrl, ownerUrl: server.ownerUrl })
const wakeUp = new WakeUp(app)
/** Each subscription has its own origin. */
const ORIGINS = CLINICS * HEALTHY_PER_CLINIC + (beside.bad?.length ?? 0)
const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'), [String(ORIGINS)])
try {
  const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }]
  const origins = ports.map((port) => `http://127.0.0.1:${port}`)
  const clinics = await prepare(owner, origins)
  const results = new Map<string, Measured[]>()
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const scenario of options.only.split(',')) {
      for (const policy of options.policies.split(',')) {
        const measured = await measure(clinics, origins, scenario, policy)
        const name = `${scenario} ${policy}`
        results.set(name, [...(results.get(name) ?? []), measured])
        process.stderr.write(`${name}: ${JSON.stringify(measured)}\n`)
      }
    }
  }
  print(results)
  reportGoals(results)
} finally {
  receiver.kill()
  await app.close()
  await close()
  await rm(dataDir, { recursive: true })
}

interface Measured {
  perSecond: number
  p50: number
  p99: number
  p999: number
  missing: number
  duplicates: number
  /** The engine's CPU time for each delivery. */
  cpuMs: number
  load: number
  requests: Record<string, number>
}

async function measure(
  clinics: readonly Clinic[],
  origins: readonly string[],
  scenario: string,
  policy: string,
): Promise<Measured> {
  await reset(owner, clinics, origins, beside[scenario] ?? [])
  if (policy === 'global')
    await owner.query(sql`create index measured_due on delivery (due_at) where status = 'pending'`)
  const sender = fork(
    join(import.meta.dirname, 'webhook-sender.ts'),
    [policy, server.appUrl, server.ownerUrl, secretKeys],
    {
      execArgv: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [],
    },
  )
  try {
    await once(sender, 'message')
    const run = scenario === 'burst' ? await burst(clinics) : await steady(app, clinics)
    const report = (await ask(receiver, { ask: 'report' })) as Report
    const { cpuMs } = (await ask(sender, {})) as { cpuMs: number }
    return measuredOf(report, { ...run, cpuMs })
  } finally {
    if (sender.exitCode === null) await once(sender, 'exit')
    await owner.query(sql`drop index if exists measured_due`)
  }
}

interface Run {
  expected: number
  startedAt: number
}

/** Emits as fast as events can be stored. */
async function burst(clinics: readonly Clinic[]): Promise<Run> {
  await emitAll(clinics, BURST.warmUpEvents)
  await delay(WARM_UP_MS)
  const startedAt = Date.now()
  await ask(receiver, { ask: 'begin', since: startedAt })
  await emitAll(clinics, BURST.events)
  const expected = BURST.events * HEALTHY_PER_CLINIC
  await arrival(expected, DRAIN_MS.burst)
  return { expected, startedAt }
}

async function emitAll(clinics: readonly Clinic[], events: number): Promise<void> {
  await Promise.all(
    clinics.map(async (clinic) => {
      for (let left = events / clinics.length; left > 0; left -= BURST.atOnce) {
        await happen(app, clinic, Math.min(left, BURST.atOnce), new Date())
        wakeUp.tell(clinic.clinic_id)
      }
    }),
  )
}

/** Emits one event after the other at an even rate, each in its own transaction, clinic after clinic. */
async function steady(database: Database, clinics: readonly Clinic[]): Promise<Run> {
  const beginsAt = Date.now()
  const startedAt = beginsAt + WARM_UP_MS
  const total = (EVENTS_PER_SECOND * (WARM_UP_MS + Number(options.seconds) * 1000)) / 1000
  await ask(receiver, { ask: 'begin', since: startedAt })
  const stored: Promise<void>[] = []
  let expected = 0
  for (let i = 0; i < total; i++) {
    const at = beginsAt + (i * 1000) / EVENTS_PER_SECOND
    if (at > Date.now()) await delay(at - Date.now())
    const clinic = clinics[i % clinics.length] as Clinic
    stored.push(happen(database, clinic, 1, new Date(at)).then(() => wakeUp.tell(clinic.clinic_id)))
    if (at >= startedAt) expected += HEALTHY_PER_CLINIC
  }
  await Promise.all(stored)
  await arrival(expected, DRAIN_MS.steady)
  return { expected, startedAt }
}

/** Resolves when this many have arrived, or the wait is over. */
async function arrival(expected: number, patienceMs: number): Promise<void> {
  const endsAt = Date.now() + patienceMs
  for (;;) {
    const { count } = (await ask(receiver, { ask: 'count' })) as { count: number }
    if (count >= expected || Date.now() > endsAt) return
    await delay(50)
  }
}

async function ask(child: ChildProcess, question: ReceiverRequest | object): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(question)
  const [answer] = await answered
  return answer
}

function measuredOf({ latenciesMs, lastAt, duplicates, requests }: Report, run: Run & { cpuMs: number }): Measured {
  // A delivery that never arrived counts as later than all others.
  const at = (share: number) => latenciesMs[Math.ceil(run.expected * share) - 1] ?? Number.POSITIVE_INFINITY
  return {
    perSecond: (latenciesMs.length * 1000) / (lastAt - run.startedAt),
    p50: at(0.5),
    p99: at(0.99),
    p999: at(0.999),
    missing: run.expected - latenciesMs.length,
    duplicates,
    requests,
    cpuMs: run.cpuMs / latenciesMs.length,
    load: loadavg()[0] ?? 0,
  }
}

function print(results: ReadonlyMap<string, readonly Measured[]>): void {
  const line = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
  line(['run', 'deliveries/s', 'p50 (ms)', 'p99 (ms)', 'p99.9 (ms)', 'p99 to that of steady', 'not arrived', 'load'])
  line(Array.from({ length: 8 }, () => '---'))
  for (const [name, runs] of results) {
    const of = (value: (one: Measured) => number) => middle(runs.map(value))
    const alone = results.get(name.replace(/^\S+/, 'steady')) ?? []
    const ratio = middle(runs.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? Number.NaN)))
    const shown = [of((one) => one.perSecond), of((one) => one.p50), of((one) => one.p99), of((one) => one.p999)]
    line([
      ...[name, ...shown.map((value) => (Number.isFinite(value) ? String(Math.round(value)) : 'never'))],
      ...[
        name.startsWith('burst') ? '' : ratio.toFixed(2),
        String(of((one) => one.missing)),
        of((one) => one.load).toFixed(1),
      ],
    ])
  }
}

/** Reports the goals of our own engine; one global queue is what it is compared with, if that was measured too. */
function reportGoals(results: ReadonlyMap<string, readonly Measured[]>): void {
  const opponent = (scenario: string, of: (one: Measured) => number) => {
    const runs = results.get(`${scenario} global`)
    return runs === undefined ? {} : { opponent: `one global queue: ${Math.round(middle(runs.map(of)))}` }
  }
  const perSecond = (one: Measured) => one.perSecond
  const burst = results.get('burst lanes')?.map(perSecond)
  const name = 'webhook deliveries in a burst, 20 subscriptions'
  const limits = { burst: { atLeast: 4_000 }, steady: { atMost: 40 } }
  if (burst !== undefined) {
    reportGoal({ name, value: middle(burst), unit: '/s', limit: limits.burst, ...opponent('burst', perSecond) })
  }
  const p99 = (one: Measured) => one.p99
  const steady = results.get('steady lanes')?.map(p99)
  if (steady === undefined) return
  const latency = 'p99 of webhook deliveries, 500/s'
  reportGoal({ name: latency, value: middle(steady), unit: 'ms', limit: limits.steady, ...opponent('steady', p99) })
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
