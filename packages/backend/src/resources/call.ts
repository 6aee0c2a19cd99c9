// Phone call: its columns, and the row as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type {
  Call,
  callDirections,
  callStatuses,
  TranscriptSegment,
  transcriptStatuses,
} from '@clinic-data/contract/resources/call'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql, wholeSecond } from '@clinic-data/database'
import { catalogEntry } from './look-up.ts'
import { renderReference } from './named-reference.ts'
import { type PatientsWithPhone, patientsWithPhone } from './patient-summary.ts'

export interface CallRow {
  id: string
  direction: (typeof callDirections)[number]
  status: (typeof callStatuses)[number]
  from_phone: string | null
  to_phone: string | null
  patient_phone_local: string | null
  clinic_phone: string | null
  patients: PatientsWithPhone
  handled_by_id: string | null
  handled_by_name: string | null
  branch_id: string | null
  branch_name: string | null
  started_at: string | null
  answered_at: string | null
  ended_at: string | null
  duration_seconds: number
  ring_seconds: number
  note: string | null
  has_recording: boolean
  recording_seconds: number | null
  transcript_status: (typeof transcriptStatuses)[number] | null
  transcript_language: string | null
  transcript_summary: string | null
  /** Null in the rows of lists. */
  transcript_segments: Static<typeof TranscriptSegment>[] | null
  created_at: string
  updated_at: string
}

/** Of the relation `c` (rows of `call`), with `callJoins`. Lists leave the transcript's segments out: they are large. */
export function callColumns({ clinic_id }: Clinic, segments: 'with segments' | 'without segments'): Statement {
  return sql`c.id, c.direction, c.status, c.from_phone, c.to_phone, c.patient_phone_local, c.clinic_phone,
    ${patientsWithPhone(clinic_id, sql`c.patient_phone`)} as patients, c.handled_by_id, c.handled_by_name,
    branch.id as branch_id, branch.name as branch_name, c.started_at, c.answered_at, c.ended_at, c.duration_seconds,
    c.ring_seconds, c.note, c.has_recording, c.recording_seconds, c.transcript_status, c.transcript_language,
    c.transcript_summary, ${segments === 'with segments' ? sql`c.transcript_segments` : sql`null::json`} as transcript_segments,
    c.created_at, c.updated_at`
}

export function callJoins({ clinic_id }: Clinic): Statement {
  return catalogEntry('branch', clinic_id, sql`c.branch_id`)
}

/** The calls that a condition on `c` names, whole: with their transcripts' segments. */
export function callsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${callColumns(clinic, 'with segments')} from call c ${callJoins(clinic)}
    where c.clinic_id = ${clinic.clinic_id} and ${condition}`
}

export function renderCall(row: CallRow): Static<typeof Call> {
  return {
    id: row.id,
    direction: row.direction,
    status: row.status,
    from_phone: row.from_phone,
    to_phone: row.to_phone,
    patient_phone: row.patient_phone_local,
    clinic_phone: row.clinic_phone,
    patients: row.patients ?? [],
    handled_by: renderReference(row.handled_by_id, row.handled_by_name),
    branch: renderReference(row.branch_id, row.branch_name),
    started_at: wholeSecond(row.started_at),
    answered_at: wholeSecond(row.answered_at),
    ended_at: wholeSecond(row.ended_at),
    duration_seconds: row.duration_seconds,
    ring_seconds: row.ring_seconds,
    note: row.note,
    recording: { available: row.has_recording, duration_seconds: row.recording_seconds },
    transcript: {
      status: row.transcript_status,
      language: row.transcript_language,
      summary: row.transcript_summary,
      segments: row.transcript_segments,
    },
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}
