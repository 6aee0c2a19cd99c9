// Recordings that have become ready: attaches them to their calls and emits their events.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { callChanges, callChangesOf, changing, type Fault, type KnownCall } from './known-calls.ts'
import type { Changed } from './writing/write-changes.ts'

export interface CallRecording {
  readonly id: string
  /** A stored file of the clinic. */
  readonly file_id: string
  readonly duration_seconds: number | null
}

/**
 * Stores recordings. Each is one `call.recording.available`: a recording is never replaced.
 *
 * @throws RefusedRows when a call is unknown or was not recorded, already has another recording or a transcript, or when a file is not audio.
 */
export async function changeCallRecordings(
  tx: Transaction,
  clinic: Clinic,
  reports: readonly CallRecording[],
  now: Date,
): Promise<Changed<Stored>> {
  const known = await callChanges.locked(tx, clinic, reports)
  const audio = await audioFiles(tx, clinic, reports)
  const changed = changing(reports, known, (report, call) => {
    if (call.recording_file_id !== null) return differenceOf(report, call) ?? 'repeats'
    return faultOf(call) ?? (audio.has(report.file_id) ? 'changes' : NO_AUDIO)
  })
  if (changed.length > 0) {
    await tx.query(sql`
      update call as stored
      set recording_file_id = input.file_id, recording_seconds = input.duration_seconds, updated_at = ${risenUpdatedAt(now)}
      from ${sql.input(changed, { text: ['id', 'file_id'], int: ['duration_seconds'] })}
      where stored.clinic_id = ${clinic.clinic_id} and stored.id = input.id`)
  }
  return callChangesOf(tx, clinic, { reports, changed, type: () => 'call.recording.available' })
}

function differenceOf({ file_id, duration_seconds }: CallRecording, call: KnownCall): Fault | null {
  const exists = { code: 'exists', detail: 'must be as it is stored: a recording is never replaced' }
  if (file_id !== call.recording_file_id) return { place: '/file_id', ...exists }
  return duration_seconds === call.recording_seconds ? null : { place: '/duration_seconds', ...exists }
}

/** The fault of a call without a recording. */
function faultOf({ is_recorded, transcript_status }: KnownCall): Fault | null {
  if (!is_recorded) return NOT_RECORDED
  return transcript_status === null ? null : TOO_LATE
}

/** Calls the exchange did not record never get a recording event (specification, Call lifecycle). */
const NOT_RECORDED: Fault = {
  place: '/id',
  code: 'not_recorded',
  detail: 'must be the id of a call that was recorded: report its is_recorded first',
}

/** The event of a recording comes before the transcript's (specification, Ordering rules). */
const TOO_LATE: Fault = {
  place: '/id',
  code: 'transcribed',
  detail: 'must be the id of a call without a transcript: a recording comes before it',
}

const NO_AUDIO: Fault = { place: '/file_id', code: 'not_audio', detail: 'must be the id of a file of type audio/…' }

async function audioFiles(
  tx: Transaction,
  { clinic_id }: Clinic,
  reports: readonly CallRecording[],
): Promise<Set<string>> {
  const ids = reports.map(({ file_id }) => file_id)
  const { rows } = await tx.query<{ id: string; content_type: string }>(sql`select id, content_type from file
    where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
  return new Set(rows.filter(({ content_type }) => /^audio\//i.test(content_type)).map(({ id }) => id))
}
