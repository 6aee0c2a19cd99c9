// The crashes of a comparison with a queue: in the middle of a burst the program that sends, or what keeps the queue, is killed with
// SIGKILL and started again. Counts what an acknowledged event's subscribers miss in the end, and what they got twice.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { CLINICS, HEALTHY_PER_CLINIC } from '../webhook-ground.ts'
import type { QueueGround } from './queue-ground.ts'
import { ADDED_AT_ONCE, arrival, kill } from './queue-scenarios.ts'
import type { Side } from './queue-side.ts'

/** The end of a scenario in which something stopped. */
export interface Aftermath {
  /** Deliveries of acknowledged events that had not arrived in the end. */
  missing: number
  /** Those that the queue still holds then. */
  unfinished: number
  doubled: number
  /** From the kill, or from the outage's end, to the last arrival. */
  lastAfterMs: number
}

/** The kill comes when this part of the deliveries has arrived. */
const KILLED_AT = 0.25
/** Longer than any lease here: ours is 45 s, BullMQ looks for stalled jobs every 30 s. */
const PATIENCE_MS = 75_000
const PAUSE_MS = 200

/** @param events that are acknowledged in the end. */
export async function crash(
  ground: QueueGround,
  side: Side,
  which: 'worker' | 'database',
  events: number,
): Promise<Aftermath> {
  await side.begin(null)
  let sender = await side.startSender()
  try {
    await ground.receiver.begin(Date.now())
    const acknowledging = addAcknowledged(side, events)
    await arrival(ground, events * HEALTHY_PER_CLINIC * KILLED_AT, PATIENCE_MS)
    const killedAt = Date.now()
    if (which === 'worker') {
      await kill(sender)
      sender = await side.startSender()
    } else {
      await side.store.crash()
    }
    const acknowledged = await acknowledging
    const endsAt = Date.now() + PATIENCE_MS
    let missing = await missingOf(ground, acknowledged)
    while (missing > 0 && Date.now() < endsAt) {
      // A program whose queue went away may end. Whoever runs it starts it again.
      if (hasEnded(sender)) sender = await side.startSender()
      await delay(1_000)
      missing = await missingOf(ground, acknowledged)
    }
    const { duplicates, lastAt } = await ground.receiver.report()
    return { missing, unfinished: await side.unfinished(), doubled: duplicates, lastAfterMs: lastAt - killedAt }
  } finally {
    await kill(sender)
  }
}

/** Adds until each clinic's share of the events is acknowledged. @returns their numbers, by clinic. */
async function addAcknowledged(side: Side, events: number): Promise<number[][]> {
  let next = 0
  return Promise.all(
    Array.from({ length: CLINICS }, async (_, clinic) => {
      const acknowledged: number[] = []
      while (acknowledged.length < events / CLINICS) {
        const first = next
        next += ADDED_AT_ONCE
        const numbers = Array.from({ length: ADDED_AT_ONCE }, (_, i) => first + i)
        try {
          await side.add(clinic, numbers, new Date())
          acknowledged.push(...numbers)
        } catch {
          await delay(PAUSE_MS)
        }
      }
      return acknowledged
    }),
  )
}

async function missingOf(ground: QueueGround, events: readonly (readonly number[])[]): Promise<number> {
  const seen = await ground.receiver.seen()
  let missing = 0
  for (const [clinic, numbers] of events.entries()) {
    for (const number of numbers) {
      for (let subscription = 0; subscription < HEALTHY_PER_CLINIC; subscription++) {
        if (!seen.has(`${number} /healthy/${clinic}-${subscription}`)) missing += 1
      }
    }
  }
  return missing
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
