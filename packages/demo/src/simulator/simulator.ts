// Simulates a clinic: one action after the other at a given rate, each sent to the ingest API.
import type { Action } from './actions/action.ts'
import { appointmentActions } from './actions/appointments.ts'
import { callActions } from './actions/calls.ts'
import { chatActions } from './actions/chats.ts'
import { patientActions } from './actions/patients.ts'
import { paymentActions } from './actions/payments.ts'
import { treatmentActions } from './actions/treatments.ts'
import type { LivingClinic } from './living-clinic.ts'

const ACTIONS: readonly (readonly [Action, number])[] = [
  ...patientActions,
  ...appointmentActions,
  ...treatmentActions,
  ...paymentActions,
  ...callActions,
  ...chatActions,
].map((action) => [action, action.weight])

export interface Simulation {
  clinic: LivingClinic
  /** The number of actions per second. */
  rate: number
  /** Waits. Ends early when the simulation must stop. */
  wait: (ms: number) => Promise<unknown>
  signal: AbortSignal
  /** Null: runs until it is stopped. */
  seconds: number | null
  onAction?: (done: number) => void
}

/** Takes all later steps before it returns. @returns the number of actions. */
export async function simulate({ clinic, rate, wait, signal, seconds, onAction }: Simulation): Promise<number> {
  const startedAt = clinic.now().getTime()
  const endsAt = seconds === null ? Number.POSITIVE_INFINITY : startedAt + seconds * 1000
  let done = 0
  while (!signal.aborted && clinic.now().getTime() < endsAt) {
    const early = startedAt + (done * 1000) / rate - clinic.now().getTime()
    if (early > 0) await wait(early)
    if (signal.aborted) break
    await happen(clinic)
    done += 1
    onAction?.(done)
  }
  for (let next = clinic.followUps.shift(); next !== undefined; next = clinic.followUps.shift()) await next.run()
  return done
}

/** Takes the steps that are due, or a random action. An action that has nothing to act on gives its turn to another. */
async function happen(clinic: LivingClinic): Promise<void> {
  const [next] = clinic.followUps
  if (next !== undefined && next.at <= clinic.now().getTime()) {
    clinic.followUps.shift()
    return next.run()
  }
  while (!(await clinic.random.weighted(ACTIONS).run(clinic)));
}
