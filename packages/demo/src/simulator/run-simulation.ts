// One run of the simulator against a service: a token for as long as it lasts, the run, and the comparison at its end.
import { mintIngestToken, revokeIngestToken } from '@clinic-data/backend/ingest/ingest-tokens'
import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { Database } from '@clinic-data/database'
import { checkSimulation, lastPosition, type Verdict } from './check-simulation.ts'
import { httpDoors } from './doors.ts'
import { LivingClinic } from './living-clinic.ts'
import { meetClinic } from './meet-clinic.ts'
import { simulate } from './simulator.ts'

export interface RunOptions {
  owner: Database
  clinic: Clinic
  /** Of the private listener. */
  address: string
  /** Things a second. */
  rate: number
  /** Null: until the signal. */
  seconds: number | null
  seed: number
  signal: AbortSignal
  wait: (ms: number) => Promise<unknown>
  now?: () => Date
  onAction?: (done: number, clinic: LivingClinic) => void
}

export interface RunReport extends Verdict {
  done: number
  /** By type. */
  events: Record<string, number>
}

/** @throws Refused when the service does not take what it is told. */
export async function runSimulation(options: RunOptions): Promise<RunReport> {
  const { owner, clinic, address, seed, now = () => new Date(), onAction } = options
  const { clinic_id } = clinic
  const met = await meetClinic(owner, clinic)
  const { id, token } = await mintIngestToken(owner, { clinic_id, name: 'simulator', now: now() })
  try {
    const run = newId('sim', now()).slice('sim_'.length)
    const living = new LivingClinic({ ...met, doors: httpDoors(address, token), now, seed, run })
    const since = await lastPosition(owner, clinic_id)
    const done = await simulate({ ...options, clinic: living, onAction: (count) => onAction?.(count, living) })
    const verdict = await checkSimulation(owner, clinic_id, living, since)
    return { done, events: Object.fromEntries([...living.expected].sort()), ...verdict }
  } finally {
    await revokeIngestToken(owner, { clinic_id, id, now: now() })
  }
}
