// A backlog of a comparison with a queue: events are published while nothing sends, each a publication of its own; then the sender starts.
import { cpuOf } from '../cpu-time.ts'
import { HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import type { QueueGround } from './queue-ground.ts'
import {
  type Amounts,
  addSingly,
  arrival,
  CpuClock,
  type CpuTimes,
  cpuOfEach,
  DRAIN_MS,
  kill,
  warmUp,
} from './queue-scenarios.ts'
import type { Side } from './queue-side.ts'

export interface Backlog {
  /** Events. */
  publishedPerSecond: number
  /** Of each event. */
  publishingCpuMs: CpuTimes
  /** Deliveries, from the first arrival to the last one. */
  perSecond: number
  /** Of each delivery, from the sender's start. */
  cpuMs: CpuTimes
  /** From the sender's start to the first arrival. */
  firstAfterMs: number
  missing: number
  duplicates: number
}

export async function backlog(ground: QueueGround, side: Side, amounts: Amounts): Promise<Backlog> {
  await side.begin(null)
  const earlier = await side.startSender()
  try {
    await warmUp(ground, side, amounts.warmUp)
  } finally {
    await kill(earlier)
  }
  await ground.receiver.begin(Date.now())
  const published = await publication(side, amounts)
  const startedAt = Date.now()
  const sender = await side.startSender()
  try {
    // All of the sender's time is since its start.
    const clock = new CpuClock(null, side.store)
    clock.begin()
    const expected = amounts.events * HEALTHY_PER_CLINIC
    await arrival(ground, expected, DRAIN_MS.burst)
    const cpu = { ...clock.end(), sender: cpuOf(sender.pid ?? 0) }
    const { latenciesMs, firstAt, lastAt, duplicates } = await ground.receiver.report()
    return {
      ...published,
      perSecond: (latenciesMs.length * 1000) / (lastAt - firstAt),
      cpuMs: cpuOfEach(cpu, latenciesMs.length),
      firstAfterMs: firstAt - startedAt,
      missing: expected - latenciesMs.length,
      duplicates,
    }
  } finally {
    await kill(sender)
  }
}

async function publication(
  side: Side,
  { warmUp: first, events }: Amounts,
): Promise<Pick<Backlog, 'publishedPerSecond' | 'publishingCpuMs'>> {
  const intake = await side.startIntake()
  try {
    const clock = new CpuClock(intake, side.store)
    clock.begin()
    const startedAt = Date.now()
    await addSingly(side, first, events)
    const publishedPerSecond = (events * 1000) / (Date.now() - startedAt)
    return { publishedPerSecond, publishingCpuMs: cpuOfEach(clock.end(), events) }
  } finally {
    if (intake !== null) await kill(intake)
  }
}
