// Deliveries per second and their latency, with and without bad endpoints beside the healthy ones. And a dispatcher that is killed (-9) amid a
// burst, beside another one or alone and started again: how long until the last delivery arrives, and which never arrive or arrive twice.
//
//   node bench/webhooks.ts [--seconds 8] [--events 2000] [--rounds 3] [--only burst,steady,hung,bad,killed]
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
import { type Database, openDatabase } from '@clinic-data/database'
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
    only: { type: 'string', default: 'burst,steady,hung,bad,killed' },
  },
})
const EVENTS_PER_SECOND = 100
/** The first events of a burst are not measured: meanwhile connections are made and code is compiled. */
const BURST = { warmUpEvents: 400, events: Number(options.events), atOnce: 100 }
const WARM_UP_MS = 1_500
/** A delivery that has not arrived this long after the last event counts as never. */
const DRAIN_MS = { burst: 60_000, steady: 4_000 }
const KILLED = {
  /** The share that has arrived: late, so that what the kill costs is not hidden by what is left of the burst. */
  at: 0.9,
  events: 1_000,
  atOnce: 50,
  /** A dispatcher judges others when it has beaten for 3.5 s. */
  settlingMs: 5_000,
  /** Longer than a lease. */
  patienceMs: 75_000,
}
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
  const killed: Killed[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const scenario of options.only.split(',')) {
      if (scenario === 'killed') {
        killed.push(await kill(clinics, origins, 2), await kill(clinics, origins, 1))
        continue
      }
      const measured = await measure(clinics, origins, scenario)
      results.set(scenario, [...(results.get(scenario) ?? []), measured])
      process.stderr.write(`${scenario}: ${JSON.stringify(measured)}\n`)
    }
  }
  print(results)
  if (killed.length > 0) printKilled(killed)
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

async function measure(clinics: readonly Clinic[], origins: readonly string[], scenario: string): Promise<Measured> {
  await reset(owner, clinics, origins, beside[scenario] ?? [])
  const sender = await startSender()
  try {
    const run = scenario === 'burst' ? await burst(clinics) : await steady(app, clinics)
    const report = (await ask(receiver, { ask: 'report' })) as Report
    const { cpuMs } = (await ask(sender, {})) as { cpuMs: number }
    return measuredOf(report, { ...run, cpuMs })
  } finally {
    if (sender.exitCode === null) await once(sender, 'exit')
  }
}

async function startSender(): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'webhook-sender.ts')
  const sender = fork(program, [server.appUrl, server.ownerUrl, secretKeys])
  await once(sender, 'message')
  return sender
}

interface Killed {
  dispatchers: number
  /** From the kill to the last arrival. */
  seconds: number
  /** What was left, at the pace before the kill. */
  pace: number
  lost: number
  duplicates: number
}

async function kill(clinics: readonly Clinic[], origins: readonly string[], dispatchers: number): Promise<Killed> {
  await reset(owner, clinics, origins, [])
  const senders = await Promise.all(Array.from({ length: dispatchers }, startSender))
  try {
    await delay(KILLED.settlingMs)
    const startedAt = Date.now()
    await ask(receiver, { ask: 'begin', since: startedAt })
    const expected = KILLED.events * HEALTHY_PER_CLINIC
    const emitted = emitAll(clinics, KILLED)
    const before = await arrival(expected * KILLED.at, KILLED.patienceMs)
    const killedAt = Date.now()
    await end(senders.shift())
    if (senders.length === 0) senders.push(await startSender())
    await emitted
    await arrival(expected, KILLED.patienceMs)
    const { latenciesMs, duplicates, lastAt } = (await ask(receiver, { ask: 'report' })) as Report
    const pace = ((killedAt - startedAt) * (expected - before)) / before / 1000
    const lost = expected - latenciesMs.length
    return { dispatchers, seconds: (lastAt - killedAt) / 1000, pace, lost, duplicates }
  } finally {
    for (const sender of senders) await end(sender)
  }
}

async function end(sender: ChildProcess | undefined): Promise<void> {
  if (sender === undefined || sender.exitCode !== null || sender.signalCode !== null) return
  sender.kill('SIGKILL')
  await once(sender, 'exit')
}

interface Run {
  expected: number
  startedAt: number
}

/** Emits as fast as events can be stored. */
async function burst(clinics: readonly Clinic[]): Promise<Run> {
  await emitAll(clinics, { ...BURST, events: BURST.warmUpEvents })
  await delay(WARM_UP_MS)
  const startedAt = Date.now()
  await ask(receiver, { ask: 'begin', since: startedAt })
  await emitAll(clinics, BURST)
  const expected = BURST.events * HEALTHY_PER_CLINIC
  await arrival(expected, DRAIN_MS.burst)
  return { expected, startedAt }
}

async function emitAll(
  clinics: readonly Clinic[],
  { events, atOnce }: { events: number; atOnce: number },
): Promise<void> {
  await Promise.all(
    clinics.map(async (clinic) => {
      for (let left = events / clinics.length; left > 0; left -= atOnce) {
        await happen(app, clinic, Math.min(left, atOnce), new Date())
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

/** Resolves with the arrivals when there are so many, or the wait is over. */
async function arrival(expected: number, patienceMs: number): Promise<number> {
  const endsAt = Date.now() + patienceMs
  for (;;) {
    const { count } = (await ask(receiver, { ask: 'count' })) as { count: number }
    if (count >= expected || Date.now() > endsAt) return count
    await delay(20)
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
    const alone = results.get('steady') ?? []
    const ratio = middle(runs.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? Number.NaN)))
    const shown = [of((one) => one.perSecond), of((one) => one.p50), of((one) => one.p99), of((one) => one.p999)]
    line([
      ...[name, ...shown.map((value) => (Number.isFinite(value) ? String(Math.round(value)) : 'never'))],
      ...[name === 'burst' ? '' : ratio.toFixed(2), String(of((one) => one.missing)), of((one) => one.load).toFixed(1)],
    ])
  }
}

function printKilled(killed: readonly Killed[]): void {
  process.stdout.write('\n| killed | last arrival after it (s) | the rest at the pace before it (s) | lost | twice |\n')
  process.stdout.write('|---|---|---|---|---|\n')
  for (const { dispatchers, seconds, pace, lost, duplicates } of killed) {
    const name = dispatchers === 2 ? 'beside another' : 'alone, started again'
    process.stdout.write(`| ${[name, seconds.toFixed(1), pace.toFixed(1), lost, duplicates].join(' | ')} |\n`)
  }
  const value = middle(killed.filter(({ dispatchers }) => dispatchers === 2).map(({ seconds }) => seconds))
  const name = 'from the kill of one of two dispatchers amid a burst to the last arrival'
  reportGoal({ name, value, unit: 's', limit: { atMost: 5 } })
}

function reportGoals(results: ReadonlyMap<string, readonly Measured[]>): void {
  const burst = results.get('burst')?.map((one) => one.perSecond)
  const name = 'webhook deliveries in a burst, 20 subscriptions'
  if (burst !== undefined) reportGoal({ name, value: middle(burst), unit: '/s', limit: { atLeast: 4_000 } })
  const steady = results.get('steady')?.map((one) => one.p99)
  const latency = 'p99 of webhook deliveries, 500/s'
  if (steady !== undefined) reportGoal({ name: latency, value: middle(steady), unit: 'ms', limit: { atMost: 40 } })
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
