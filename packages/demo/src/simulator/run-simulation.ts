// Runs the simulator against a service: mints a token for the run, simulates, and compares at the end.
import { mintIngestToken, revokeIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { Database } from '@clinic-data/database'
import { checkSimulation, lastPosition, type Verdict } from './check-simulation.ts'
import { ingestClient } from './ingest-client.ts'
import { LivingClinic } from './living-clinic.ts'
import { meetClinic } from './meet-clinic.ts'
import { simulate } from './simulator.ts'

export interface RunOptions {
  owner: Database
  clinic: Clinic
  /** The address of the private listener. */
  address: string
  /** The number of actions per second. */
  rate: number
  /** Null: runs until the signal. */
  seconds: number | null
  seed: number
  signal: AbortSignal
  wait: (ms: number) => Promise<unknown>
  now?: () => Date
  onAction?: (done: number, clinic: LivingClinic) => void
}

export interface RunReport extends Verdict {
  done: number
  /** The number of events, by type. */
  events: Record<string, number>
}

/** @throws Refused when the service refuses a record. */
export async function runSimulation(options: RunOptions): Promise<RunReport> {
  const { owner, clinic, address, seed, now = () => new Date(), onAction } = options
  const { clinic_id } = clinic
  const met = await meetClinic(owner, clinic)
  const { id, token } = await mintIngestToken(owner, { clinic_id, name: 'simulator', now: now() })
  try {
    const run = newId('sim', now()).slice('sim_'.length)
    const living = new LivingClinic({ ...met, ingest: ingestClient(address, token), now, seed, run })
    const since = await lastPosition(owner, clinic_id)
    const done = await simulate({ ...options, clinic: living, onAction: (count) => onAction?.(count, living) })
    const verdict = await checkSimulation(owner, clinic_id, living, since)
    return { done, events: Object.fromEntries([...living.expected].sort()), ...verdict }
  } finally {
    await revokeIngestToken(owner, { clinic_id, id, now: now() })
  }
}
