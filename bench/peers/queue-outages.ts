// The outage of a comparison with a queue: for a while every endpoint answers 503, and events go on at an even rate. Counts what has not
// arrived in the end, and how long after the outage the last delivery came.
import { HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import type { Aftermath } from './queue-crashes.ts'
import type { QueueGround } from './queue-ground.ts'
import { addEvenly, arrival, kill } from './queue-scenarios.ts'
import type { Side } from './queue-side.ts'

/** Deliveries a second. */
const RATE = 100
/** Pauses between attempts double, so the next one comes at most about as long after an outage as the outage took. */
const PATIENCE_MS = 60_000

/** `outage-60` is an outage of 60 seconds. Null for every other scenario. */
export function outageSeconds(scenario: string): number | null {
  const [, seconds] = /^outage-(\d+)$/.exec(scenario) ?? []
  return seconds === undefined ? null : Number(seconds)
}

export async function outage(ground: QueueGround, side: Side, seconds: number): Promise<Aftermath> {
  const { receiver } = ground
  await side.begin(null)
  const sender = await side.startSender()
  const eventsPerSecond = RATE / HEALTHY_PER_CLINIC
  const total = Math.round(seconds * eventsPerSecond)
  const expected = total * HEALTHY_PER_CLINIC
  try {
    await receiver.begin(Date.now())
    await receiver.setDown(true)
    await addEvenly(side, { first: 0, total, eventsPerSecond, beginsAt: Date.now() })
    await receiver.setDown(false)
    const overAt = Date.now()
    await arrival(ground, expected, seconds * 1000 + PATIENCE_MS)
    const { latenciesMs, duplicates, lastAt } = await receiver.report()
    const unfinished = await side.unfinished()
    return { missing: expected - latenciesMs.length, unfinished, doubled: duplicates, lastAfterMs: lastAt - overAt }
  } finally {
    await receiver.setDown(false)
    await kill(sender)
  }
}
