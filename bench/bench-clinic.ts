// The clinics for benchmarks, made once and kept in `.data/bench`: a generated clinic of the requested size.
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import type { Clinic, Scope } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { Progress } from '@clinic-data/operator/progress'

export interface BenchClinic {
  clinic_id: string
  patients: number
  appointments_per_patient: number
}

const COMPLETE = 'Measured clinic'

/** Returns the clinic. Generates it when it is missing or incomplete. */
export async function benchClinic(
  owner: Database,
  { clinic_id, patients, appointments_per_patient }: BenchClinic,
): Promise<Clinic> {
  const known = await findClinic(owner, clinic_id)
  if (known?.name === COMPLETE) return known
  const now = new Date()
  const clinic =
    known ?? (await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Measured clinic, unfinished', now }))
  const startedAt = performance.now()
  const progress = new Progress()
  await generateDemo({
    database: owner,
    clinic,
    patients,
    appointments_per_patient,
    now,
    onProgress: ({ stage, done, total }) => progress.show(`${clinic_id}: ${stage} ${done} of ${total}`),
  })
  progress.end()
  process.stderr.write(`${clinic_id}: made in ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
  await owner.write(clinic, (tx) => tx.query(sql`update clinic set name = ${COMPLETE} where clinic_id = ${clinic_id}`))
  await owner.query(sql`vacuum analyze`)
  return clinic
}

/** A key of the clinic for a day, without a limit that a benchmark could reach. */
export async function benchKey(
  owner: Database,
  { clinic_id }: Pick<Clinic, 'clinic_id'>,
  scopes: readonly Scope[],
): Promise<string> {
  const now = new Date()
  const expires_at = new Date(now.getTime() + 86_400_000)
  const { key } = await mintKey(owner, { clinic_id, scopes, name: 'bench', expires_at, rate_limit: 1_000_000, now })
  return key
}
