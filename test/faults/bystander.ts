// A second clinic beside the one whose place is broken: whatever it asks must be answered as if nothing had happened.
import { setTimeout as delay } from 'node:timers/promises'
import { creating } from '@clinic-data/testing/grounds/crash-load'
import type { Clinic } from './clients.ts'
import { asking } from './requests.ts'
import type { Stage } from './scenario.ts'

const BETWEEN_MS = 20

export interface Bystander {
  /** @returns how many requests were answered. */
  stop(): Promise<number>
}

/** Writes payments and reads them. Tells of every other answer than a good one. */
export function startBystander(stage: Stage, clinic: Clinic, address: () => Promise<string>): Bystander {
  let isStopped = false
  let answered = 0
  const ask = asking(
    address,
    (entry) => entry.entry === 'wrong answer' && stage.tell(`bystander: ${entry.text}`),
    false,
  )
  const work = async () => {
    for (let n = 0; !isStopped; n++) {
      const name = `bystander-${n}`
      const { path, body } = creating.payment(name)
      const made = await ask({ method: 'POST', path, body, key: clinic.key, idempotencyKey: name })
      const isMade = made.status === 201
      if (!isMade) stage.tell(`bystander: POST ${path}: ${made.status} ${made.text}`)
      const read = isMade ? `/v1/payments/${JSON.parse(made.text).data.id}` : '/v1/payments'
      const { status, text } = await ask({ path: read, key: clinic.key })
      if (status !== 200) stage.tell(`bystander: GET ${read}: ${status} ${text}`)
      answered += 2
      await delay(BETWEEN_MS)
    }
  }
  const working = work()
  return {
    async stop() {
      isStopped = true
      await working
      return answered
    },
  }
}
