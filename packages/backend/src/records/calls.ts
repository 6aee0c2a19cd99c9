// Stores phone calls with their recordings' state and their transcripts.

import { type Clinic, MAX } from '@clinic-data/contract'
import { callDirections, callStatuses, transcriptStatuses } from '@clinic-data/contract/resources/call'
import type { Transaction } from '@clinic-data/database'
import {
  amount,
  type Bounds,
  type Fault,
  faultsOf,
  faultsOfList,
  id,
  instant,
  listOf,
  nullable,
  oneOf,
  text,
  whole,
} from './bounds.ts'
import { patientPhone, shownPatientPhone, shownPhone } from './phone-sides.ts'
import { columnsOf, type RecordTable, type StoreCounts } from './record-table.ts'
import { countsOf, storeRows } from './store-rows.ts'

export type TranscriptSegmentRecord = {
  speaker: 'agent' | 'patient' | 'unknown'
  start_seconds: number
  end_seconds: number
  text: string
}

export type CallRecord = {
  id: string
  direction: (typeof callDirections)[number]
  status: (typeof callStatuses)[number]
  /** As the exchange writes them; the patient's side follows from the direction. */
  from_phone: string | null
  to_phone: string | null
  handled_by: { id: string; name: string } | null
  branch_id: string | null
  started_at: string | null
  answered_at: string | null
  ended_at: string | null
  /** Talk time. */
  duration_seconds: number
  ring_seconds: number
  note: string | null
  recording_file_id: string | null
  recording_seconds: number | null
  transcript_status: (typeof transcriptStatuses)[number] | null
  transcript_language: string | null
  transcript_summary: string | null
  transcript_segments: readonly TranscriptSegmentRecord[] | null
  created_at: string
  updated_at: string
}

const agent: Bounds<{ id: string; name: string }> = { id, name: text(MAX.name) }

const bounds: Bounds<CallRecord> = {
  id,
  direction: oneOf(...callDirections),
  status: oneOf(...callStatuses),
  from_phone: nullable(text(MAX.phone)),
  to_phone: nullable(text(MAX.phone)),
  handled_by: nullable((value) => faultsOf(agent, value as { id: string; name: string })[0]?.reason ?? null),
  branch_id: nullable(id),
  started_at: nullable(instant),
  answered_at: nullable(instant),
  ended_at: nullable(instant),
  duration_seconds: whole(0, MAX.seconds),
  ring_seconds: whole(0, MAX.seconds),
  note: nullable(text(MAX.note)),
  recording_file_id: nullable(id),
  recording_seconds: nullable(whole(0, MAX.seconds)),
  transcript_status: nullable(oneOf(...transcriptStatuses)),
  transcript_language: nullable(text(MAX.code)),
  transcript_summary: nullable(text(MAX.summary)),
  transcript_segments: nullable(listOf(MAX.segments)),
  created_at: instant,
  updated_at: instant,
}

const segmentBounds: Bounds<TranscriptSegmentRecord> = {
  speaker: oneOf('agent', 'patient', 'unknown'),
  start_seconds: amount(0, MAX.seconds),
  end_seconds: amount(0, MAX.seconds),
  text: text(MAX.segment),
}

/** Calls never answered are never transcribed (specification, Call lifecycle). */
export function checkCall(record: CallRecord): Fault[] {
  const faults = faultsOf(bounds, record)
  const { transcript_segments: segments } = record
  if (Array.isArray(segments)) faults.push(...faultsOfList('transcript_segments', () => segmentBounds, segments))
  if (record.transcript_status !== null && (record.status !== 'answered' || record.duration_seconds === 0)) {
    faults.push({ field: 'transcript_status', reason: 'is given for a call without any talk' })
  }
  return faults
}

const { fields, derived, json, localDate, once } = columnsOf<CallRecord>()

const calls: RecordTable<CallRecord> = {
  name: 'call',
  key: fields('id'),
  columns: [
    ...fields('direction', 'status', 'branch_id', 'started_at', 'answered_at', 'ended_at'),
    derived('from_phone', ({ from_phone }, { country }) => shownPhone(from_phone, country)),
    derived('to_phone', ({ to_phone }, { country }) => shownPhone(to_phone, country)),
    derived('patient_phone', (record, { country }) => patientPhone(record, country)),
    derived('patient_phone_local', (record, { country }) => shownPatientPhone(record, country)),
    derived('clinic_phone', (record, { country }) => shownPhone(clinicSide(record), country)),
    derived('handled_by_id', ({ handled_by }) => handled_by?.id ?? null),
    derived('handled_by_name', ({ handled_by }) => handled_by?.name ?? null),
    localDate('started_date', (record) => record.started_at, 0),
    ...fields('duration_seconds', 'ring_seconds', 'note', 'recording_file_id', 'recording_seconds'),
    ...fields('transcript_status', 'transcript_language', 'transcript_summary'),
    json('transcript_segments', (record) => record.transcript_segments),
    ...once(fields('created_at')),
  ],
  updatedAt: (record) => record.updated_at,
}

function clinicSide({ direction, from_phone, to_phone }: CallRecord): string | null {
  return direction === 'inbound' ? to_phone : from_phone
}

export async function storeCalls(
  tx: Transaction,
  clinic: Clinic,
  records: readonly CallRecord[],
): Promise<StoreCounts> {
  return countsOf(records, await storeRows(tx, clinic, calls, records))
}
