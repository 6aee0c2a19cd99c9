// The outage of a comparison with a queue: for a while every endpoint answers 503, and events go on at an even rate. Counts what has not
// arrived in the end, and how long after the outage the last delivery came.
import { setTimeout as delay } from 'node:timers/promises'
import { CLINICS, HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import type { Aftermath } from './queue-crashes.ts'
import type { QueueGround } from './queue-ground.ts'
import { arrival, kill } from './queue-scenarios.ts'
import type { Side } from './queue-side.ts'

/** Deliveries a second. */
const RATE = 100
const EVERY_MS = (1000 * HEALTHY_PER_CLINIC) / RATE
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
  try {
    await receiver.begin(Date.now())
    await receiver.setDown(true)
    const expected = (await addEvenly(side, seconds)) * HEALTHY_PER_CLINIC
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

/** @returns the number of events. */
async function addEvenly(side: Side, seconds: number): Promise<number> {
  const beginsAt = Date.now()
  const total = Math.round((seconds * 1000) / EVERY_MS)
  const added: Promise<void>[] = []
  for (let i = 0; i < total; i++) {
    const at = beginsAt + i * EVERY_MS
    if (at > Date.now()) await delay(at - Date.now())
    added.push(side.add(i % CLINICS, [i], new Date(at)))
  }
  await Promise.all(added)
  return total
}
