// A phone call's columns, and its rendering as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type { Call, TranscriptSegment, transcriptStatuses } from '@clinic-data/contract/resources/call'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql } from '@clinic-data/database'
import { catalogEntry } from './look-up.ts'
import { renderReference } from './named-reference.ts'
import { type PatientsWithPhone, patientsWithPhone } from './patient-summary.ts'
import { type RowOf, resourceTable } from './resource-table.ts'

interface Columns {
  patient_phone_local: string | null
  patients: PatientsWithPhone
  handled_by_id: string | null
  handled_by_name: string | null
  branch_id: string | null
  branch_name: string | null
  has_recording: boolean
  recording_seconds: number | null
  transcript_status: (typeof transcriptStatuses)[number] | null
  transcript_language: string | null
  transcript_summary: string | null
  /** Lists leave them null. */
  transcript_segments: Static<typeof TranscriptSegment>[] | null
}

/** These fields are stored as records give them, and shown unchanged. */
export const callFields = ['direction', 'status', 'duration_seconds', 'ring_seconds', 'note'] as const

export const callResource = resourceTable<Static<typeof Call>, Columns>()({
  relation: 'c',
  stored: ['id', ...callFields, 'from_phone', 'to_phone', 'clinic_phone'],
  instants: ['created_at', 'updated_at'],
  seconds: ['started_at', 'answered_at', 'ended_at'],
  made: {
    patient_phone: {
      columns: sql`c.patient_phone_local`,
      render: ({ patient_phone_local }) => patient_phone_local,
    },
    patients: {
      columns: ({ clinic_id }) => sql`${patientsWithPhone(clinic_id, sql`c.patient_phone`)} as patients`,
      render: ({ patients }) => patients ?? [],
    },
    handled_by: {
      columns: sql`c.handled_by_id, c.handled_by_name`,
      render: ({ handled_by_id, handled_by_name }) => renderReference(handled_by_id, handled_by_name),
    },
    branch: {
      columns: sql`branch.id as branch_id, branch.name as branch_name`,
      render: ({ branch_id, branch_name }) => renderReference(branch_id, branch_name),
    },
    recording: {
      columns: sql`c.has_recording, c.recording_seconds`,
      render: ({ has_recording, recording_seconds }) => ({
        available: has_recording,
        duration_seconds: recording_seconds,
      }),
    },
    transcript: {
      columns: sql`c.transcript_status, c.transcript_language, c.transcript_summary`,
      render: (row) => ({
        status: row.transcript_status,
        language: row.transcript_language,
        summary: row.transcript_summary,
        segments: row.transcript_segments,
      }),
    },
  },
})
export type CallRow = RowOf<typeof callResource>

/** Needs `callJoins`. Lists leave out the transcript's segments, because they are large. */
export function callColumns(clinic: Clinic, segments: 'with segments' | 'without segments'): Statement {
  const shown = segments === 'with segments' ? sql`c.transcript_segments` : sql`null::json`
  return sql`${callResource.columns(clinic)}, ${shown} as transcript_segments`
}

export function callJoins({ clinic_id }: Clinic): Statement {
  return catalogEntry('branch', clinic_id, sql`c.branch_id`)
}

/** Selects the calls that match a condition on `c`, with the segments of their transcripts. */
export function callsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${callColumns(clinic, 'with segments')} from call c ${callJoins(clinic)}
    where c.clinic_id = ${clinic.clinic_id} and ${condition}`
}
