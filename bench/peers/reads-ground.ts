// The base of the comparisons of reads: the clinic of `reads.ts`.
import { sql } from '@clinic-data/database'
import { benchClinic } from '../bench-clinic.ts'
import { openPeerGround, type PeerGround } from './peer-ground.ts'

export const CLINIC = 'bench'

export interface ReadsGround extends PeerGround {
  /** One of the clinic's patients. */
  patientId: string
}

export async function openReadsGround(): Promise<ReadsGround> {
  const size = { clinic_id: CLINIC, patients: 100_000, appointments_per_patient: 10 }
  const scopes = ['patients:read', 'appointments:read'] as const
  const ground = await openPeerGround('bench', (owner) => benchClinic(owner, size), scopes)
  const { rows } = await ground.owner.query<{ id: string }>(
    sql`select min(id) as id from patient where clinic_id = ${CLINIC}`,
  )
  return { ...ground, patientId: rows[0]?.id ?? '' }
}
