// The base of tests of the continuous export: clinics with sealed rows, and who exports them to a destination.
import type { Destination } from '@clinic-data/audit/follow/destination'
import { type FollowParts, LogFollower } from '@clinic-data/audit/follow/follow-log'
import { besideOperator } from '@clinic-data/audit/operator-audit'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { verified } from './exported-file.ts'
import { dayBefore, now, owner, seal, store } from './packed-ground.ts'
import { testClinic } from './test-clinic.ts'

export interface Following {
  follower: LogFollower
  faults: string[]
  /** One round over these clinics. */
  round: (...clinics: readonly Clinic[]) => Promise<void>
}

export function following(destination: Destination, changes: Partial<FollowParts> = {}, database = owner): Following {
  const faults: string[] = []
  const follower = new LogFollower({
    destination,
    format: 'ndjson',
    program: '0.2.0',
    now: () => new Date(now.getTime() + 1_000),
    audit: (tx, { clinic_id, number, destination }) =>
      besideOperator({ clinic_id, operation: 'operator.audit.follow', user: null, machine: 'test', now })(tx, [
        clinic_id,
        `seals:${number + 1}-`,
        destination,
      ]),
    onFault: (clinic_id, fault) => void faults.push(`${clinic_id} ${fault}`),
    ...changes,
  })
  const round = (...clinics: readonly Clinic[]) => follower.round(database, clinics, new AbortController().signal)
  return { follower, faults, round }
}

/** Adds rows of a day and seals them. @returns their request ids. */
export async function sealRows(clinic: Clinic, count: number, age = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `req_${++requests}`)
  await store(clinic, ...ids.map((request_id) => ({ stored_at: `${dayBefore(age)} 10:00Z`, request_id })))
  await seal(clinic)
  return ids
}
let requests = 0

/** Clinics that are new to whoever exports, each with a seal. */
export async function newClinics(count: number): Promise<Clinic[]> {
  const clinics: Clinic[] = []
  for (let n = 0; n < count; n++) {
    const clinic = await testClinic(owner)
    await sealRows(clinic, 2)
    clinics.push(clinic)
  }
  return clinics
}

export async function placeOf({ clinic_id }: Clinic, database: Database = owner): Promise<number | null> {
  const rows = await database.readAsDispatcher<{ number: number }>(
    sql`select number from audit_export_place where clinic_id = ${clinic_id}`,
  )
  return rows[0]?.number ?? null
}

export async function sound(text: string | Uint8Array, expected: string | null = null) {
  const verdict = await verified(text, expected)
  if (!verdict.sound) throw new Error(JSON.stringify(verdict))
  return verdict
}

/** The request ids of the rows, in the order of the lines. */
export function requestsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('{"type":"row"') ? [JSON.parse(line).request_id] : []))
}
