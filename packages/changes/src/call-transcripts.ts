// Outcomes of transcriptions: stores at most one for each call, ever, and emits its event.
import type { Clinic } from '@clinic-data/contract'
import type { transcriptStatuses } from '@clinic-data/contract/resources/call'
import { sql, type Transaction } from '@clinic-data/database'
import type { TranscriptSegmentRecord } from '@clinic-data/records/calls'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { callChanges, callChangesOf, changing, type Fault, type KnownCall } from './known-calls.ts'
import type { Changed } from './writing/write-changes.ts'

export interface CallTranscript {
  readonly id: string
  readonly status: (typeof transcriptStatuses)[number]
  readonly language: string | null
  readonly summary: string | null
  /** Null for a failed transcription. Otherwise the list, which is empty when nothing could be understood. */
  readonly segments: readonly TranscriptSegmentRecord[] | null
}

/**
 * Stores outcomes of transcriptions. Each is a `call.transcript.completed` or a `call.transcript.failed`, once.
 *
 * @throws RefusedRows if a call is unknown, was not answered, had no talk, already has another outcome, or its recording is still
 * to come. Also if the clinic has no AI transcription.
 */
export async function changeCallTranscripts(
  tx: Transaction,
  clinic: Clinic,
  reports: readonly CallTranscript[],
  now: Date,
): Promise<Changed<Stored>> {
  const known = await callChanges.locked(tx, clinic, reports)
  const segments = await storedSegments(tx, clinic, known)
  const isOn = await hasTranscription(tx, clinic)
  const changed = changing(reports, known, (report, call) => {
    if (call.transcript_status === null) return faultOf(call, isOn) ?? 'changes'
    return isStored(report, call, segments.get(report.id) ?? null) ? 'repeats' : EXISTS
  })
  if (changed.length > 0) await store(tx, clinic, changed, now)
  return callChangesOf(tx, clinic, { reports, changed, type: ({ status }) => `call.transcript.${status}` })
}

async function store(tx: Transaction, { clinic_id }: Clinic, reports: readonly CallTranscript[], now: Date) {
  const rows = reports.map((report) => ({ ...report, segments: segmentsText(report.segments) }))
  await tx.query(sql`
    update call as stored
    set transcript_status = input.status, transcript_language = input.language, transcript_summary = input.summary,
      transcript_segments = input.segments::json, updated_at = ${risenUpdatedAt(now)}
    from ${sql.input(rows, { text: ['id', 'status', 'language', 'summary', 'segments'] })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
}

/** Equal lists give equal texts. The order of the sender's fields does not matter. */
function segmentsText(segments: CallTranscript['segments']): string | null {
  if (segments === null) return null
  return JSON.stringify(
    segments.map(({ speaker, start_seconds, end_seconds, text }) => ({ speaker, start_seconds, end_seconds, text })),
  )
}

function isStored(report: CallTranscript, call: KnownCall, segments: CallTranscript['segments']): boolean {
  return (
    report.status === call.transcript_status &&
    report.language === call.transcript_language &&
    report.summary === call.transcript_summary &&
    segmentsText(report.segments) === segmentsText(segments)
  )
}

/** The transcripts that a call without one does not allow (specification, Call lifecycle and Ordering rules). */
function faultOf(call: KnownCall, isOn: boolean): Fault | null {
  const place = '/id'
  if (call.status !== 'answered' || call.duration_seconds === 0) {
    return { place, code: 'no_talk', detail: 'must be the id of an answered call with talk: no other is transcribed' }
  }
  if (!isOn) return { place, code: 'no_transcription', detail: 'must not be sent: the clinic has no AI transcription' }
  if (!call.is_recorded || call.recording_file_id !== null) return null
  return {
    place,
    code: 'recording_first',
    detail: 'must come after the recording of its call: send this again once that is stored',
  }
}

const EXISTS: Fault = {
  place: '/status',
  code: 'exists',
  detail: 'must be as it is stored, with all that belongs to it: a call has one outcome, which never changes',
}

async function storedSegments(
  tx: Transaction,
  { clinic_id }: Clinic,
  known: ReadonlyMap<string, KnownCall>,
): Promise<Map<string, CallTranscript['segments']>> {
  const ids = [...known.values()].filter((call) => call.transcript_status === 'completed').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query<{ id: string; segments: CallTranscript['segments'] }>(sql`
    select id, transcript_segments as segments from call where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
  return new Map(rows.map(({ id, segments }) => [id, segments]))
}

async function hasTranscription(tx: Transaction, { clinic_id }: Clinic): Promise<boolean> {
  const { rows } = await tx.query<{ ai_transcription: boolean }>(sql`
    select ai_transcription from clinic where clinic_id = ${clinic_id}`)
  return rows[0]?.ai_transcription === true
}
