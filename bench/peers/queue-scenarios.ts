// The scenarios of a comparison with a queue: a burst, even rates, an endpoint that hangs beside the healthy ones.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuOf, cpuOfFamily } from '../cpu-time.ts'
import { CLINICS, HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import { memoryOf } from './process-memory.ts'
import type { QueueGround } from './queue-ground.ts'
import type { Side } from './queue-side.ts'
import type { QueueStore } from './queue-store.ts'

/** CPU time for each delivery or event, ms: of the sender, of what keeps the queue, and of the program that adds to it. */
export interface CpuTimes {
  readonly sender: number
  readonly store: number
  readonly adding: number
}

export interface Measured {
  perSecond: number
  /** From an event's planned time to its arrival, ms. */
  p50: number
  p99: number
  /** Of each delivery. */
  cpuMs: CpuTimes
  /** What the sender and what keeps the queue hold at the end, MB. */
  memoryMb: { sender: number; store: number }
  missing: number
  duplicates: number
}

/** How much of each scenario there is. */
export interface Amounts {
  /** The first events, which are not measured: Node.js compiles a path of code anew several times, and a service has run for longer. */
  readonly warmUp: number
  /** Events of a burst, and of one amid which something is killed. */
  readonly events: number
  /** How long an even rate lasts. */
  readonly seconds: number
  /** Deliveries a second beside a bad endpoint. */
  readonly beside: number
  /** Deliveries that wait for the bad endpoint at first. */
  readonly backlog: number
}

/** Events of a clinic that are added at once. */
export const ADDED_AT_ONCE = 100
/** Events of all clinics that are published at once where each is a publication of its own: the connections that a peer's API has. */
export const PUBLISHED_AT_ONCE = 64
const WARM_UP_MS = 1_500
/** The part of the first events after which the database counts its rows. */
const COUNTED_AFTER = 0.1
/** The scenarios with one. */
const BAD_BEHAVIOURS = ['hung', 'failing'] as const
/** A delivery that has not arrived this long after the last event counts as never. */
export const DRAIN_MS = { burst: 40_000, warmUp: 20_000, steady: 4_000 }

/** @param name `burst`, `singly`, a number of deliveries a second, or how an endpoint behaves beside the healthy ones: `hung`, `failing`. */
export async function measure(ground: QueueGround, side: Side, name: string, amounts: Amounts): Promise<Measured> {
  const behaviour = BAD_BEHAVIOURS.find((one) => one === name)
  await side.begin(behaviour === undefined ? null : { behaviour, backlog: amounts.backlog })
  const sender = await side.startSender()
  try {
    const clock = new CpuClock(sender, side.store)
    const run =
      name === 'burst' || name === 'singly'
        ? await burst(ground, side, clock, amounts, name === 'burst' ? addAll : addSingly)
        : await steady(ground, side, clock, amounts, behaviour === undefined ? Number(name) : amounts.beside)
    const cpu = clock.end()
    const memoryMb = { sender: memoryOf([sender.pid ?? 0]), store: memoryOf(side.store.pids()) }
    const { latenciesMs, lastAt, duplicates } = await ground.receiver.report()
    const at = (share: number) => latenciesMs[Math.ceil(run.expected * share) - 1] ?? Number.POSITIVE_INFINITY
    return {
      perSecond: (latenciesMs.length * 1000) / (lastAt - run.startedAt),
      p50: at(0.5),
      p99: at(0.99),
      duplicates,
      missing: run.expected - latenciesMs.length,
      cpuMs: cpuOfEach(cpu, latenciesMs.length),
      memoryMb,
    }
  } finally {
    await kill(sender)
  }
}

/** @param us CPU time of all of them. */
export function cpuOfEach(us: CpuTimes, count: number): CpuTimes {
  const each = (of: number) => of / 1000 / count
  return { sender: each(us.sender), store: each(us.store), adding: each(us.adding) }
}

export async function kill(sender: ChildProcess): Promise<void> {
  if (sender.exitCode !== null || sender.signalCode !== null) return
  const ended = once(sender, 'exit')
  sender.kill('SIGKILL')
  await ended
}

/** Adds events with the numbers from `first`, an equal share for each clinic, as fast as they can be stored. */
export async function addAll(side: Side, first: number, events: number): Promise<void> {
  const ofClinic = events / CLINICS
  await Promise.all(
    Array.from({ length: CLINICS }, async (_, clinic) => {
      for (let added = 0; added < ofClinic; added += ADDED_AT_ONCE) {
        const numbers = Array.from(
          { length: Math.min(ADDED_AT_ONCE, ofClinic - added) },
          (_, i) => first + clinic * ofClinic + added + i,
        )
        await side.add(clinic, numbers, new Date())
      }
    }),
  )
}

/** The same, but each event is a publication of its own. */
export async function addSingly(side: Side, first: number, events: number): Promise<void> {
  let next = first
  await Promise.all(
    Array.from({ length: PUBLISHED_AT_ONCE }, async () => {
      for (let number = next++; number < first + events; number = next++) {
        await side.add(number % CLINICS, [number], new Date())
      }
    }),
  )
}

/** Resolves when this many have arrived, or the wait is over. */
export async function arrival({ receiver }: QueueGround, expected: number, patienceMs: number): Promise<void> {
  const endsAt = Date.now() + patienceMs
  while ((await receiver.count()) < expected && Date.now() < endsAt) await delay(50)
}

interface Run {
  expected: number
  startedAt: number
}

/** Until PostgreSQL has counted the rows of a table that was empty, its plans may read all of them. */
export async function warmUp(ground: QueueGround, side: Side, events: number): Promise<void> {
  const counted = events * COUNTED_AFTER
  await ground.receiver.begin(Date.now())
  await addAll(side, 0, counted)
  await arrival(ground, counted * HEALTHY_PER_CLINIC, DRAIN_MS.warmUp)
  await side.store.analyze()
  await addAll(side, counted, events - counted)
  await arrival(ground, events * HEALTHY_PER_CLINIC, DRAIN_MS.warmUp)
}

async function burst(
  ground: QueueGround,
  side: Side,
  clock: CpuClock,
  amounts: Amounts,
  addEvents: typeof addAll,
): Promise<Run> {
  const { events } = amounts
  await warmUp(ground, side, amounts.warmUp)
  await delay(WARM_UP_MS)
  const startedAt = Date.now()
  await ground.receiver.begin(startedAt)
  clock.begin()
  await addEvents(side, amounts.warmUp, events)
  const expected = events * HEALTHY_PER_CLINIC
  await arrival(ground, expected, DRAIN_MS.burst)
  return { expected, startedAt }
}

async function steady(
  ground: QueueGround,
  side: Side,
  clock: CpuClock,
  { warmUp: first, seconds }: Amounts,
  perSecond: number,
): Promise<Run> {
  await warmUp(ground, side, first)
  const eventsPerSecond = perSecond / HEALTHY_PER_CLINIC
  const beginsAt = Date.now()
  const startedAt = beginsAt + WARM_UP_MS
  const total = Math.round((eventsPerSecond * (WARM_UP_MS + seconds * 1000)) / 1000)
  await ground.receiver.begin(startedAt)
  let expected = 0
  await addEvenly(side, { first, total, eventsPerSecond, beginsAt }, (at) => {
    if (at < startedAt) return
    if (expected === 0) clock.begin()
    expected += HEALTHY_PER_CLINIC
  })
  await arrival(ground, expected, DRAIN_MS.steady)
  return { expected, startedAt }
}

interface Even {
  /** The number of the first event. */
  readonly first: number
  readonly total: number
  readonly eventsPerSecond: number
  readonly beginsAt: number
}

/** Adds one event after the other at an even rate, clinic after clinic. @param onDue called right before each is added, with its planned time. */
export async function addEvenly(
  side: Side,
  { first, total, eventsPerSecond, beginsAt }: Even,
  onDue: (at: number) => void = () => undefined,
): Promise<void> {
  const added: Promise<void>[] = []
  for (let i = 0; i < total; i++) {
    const at = beginsAt + (i * 1000) / eventsPerSecond
    if (at > Date.now()) await delay(at - Date.now())
    onDue(at)
    added.push(side.add(i % CLINICS, [first + i], new Date(at)))
  }
  await Promise.all(added)
}

/** Measures the CPU time between two moments, in µs. Without a sender, nothing sends. */
export class CpuClock {
  readonly #sender: ChildProcess | null
  readonly #store: QueueStore
  #begun: CpuTimes = { sender: 0, store: 0, adding: 0 }

  constructor(sender: ChildProcess | null, store: QueueStore) {
    this.#sender = sender
    this.#store = store
  }

  begin(): void {
    this.#begun = this.#now()
  }

  end(): CpuTimes {
    const now = this.#now()
    return {
      sender: now.sender - this.#begun.sender,
      store: now.store - this.#begun.store,
      adding: now.adding - this.#begun.adding,
    }
  }

  #now(): CpuTimes {
    const { user, system } = process.cpuUsage()
    const store = this.#store.pids().reduce((sum, pid) => sum + cpuOfFamily(pid), 0)
    return { sender: this.#sender === null ? 0 : cpuOf(this.#sender.pid ?? 0), store, adding: user + system }
  }
}
