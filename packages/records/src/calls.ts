// Stores phone calls with their recordings' state and their transcripts.

import { type Clinic, MAX } from '@clinic-data/contract'
import { callDirections, callStatuses, transcriptStatuses } from '@clinic-data/contract/resources/call'
import {
  choice,
  GivenId,
  Id,
  list,
  nullable,
  type Static,
  strictObject,
  Type,
  text,
  whole,
} from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { patientPhone, shownPatientPhone, shownPhone } from './phone-sides.ts'
import { callFields } from './resources/call.ts'
import { recordKind } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedAt, RecordedInstant } from './storing/record-schema.ts'
import { derived, localDate, recordTable, type Stored, stored } from './storing/record-table.ts'
import { storedOf, storeRows } from './storing/store-rows.ts'

const FromStart = Type.Number({ minimum: 0, maximum: MAX.seconds, description: 'From the start of the recording.' })

export const TranscriptSegmentRecord = strictObject({
  speaker: choice(['agent', 'patient', 'unknown'], { description: 'Which side speaks.' }),
  start_seconds: FromStart,
  end_seconds: FromStart,
  text: text(MAX.segment, { description: 'What was said.' }),
})
export type TranscriptSegmentRecord = Static<typeof TranscriptSegmentRecord>

/** The exchange's facts about an ended call, and the staff's note. */
const ended = {
  id: GivenId,
  direction: choice(callDirections, { description: 'Who called whom: `inbound` is a call to the clinic.' }),
  status: choice(callStatuses, { description: 'How the call ended.' }),
  from_phone: nullable(text(MAX.phone), {
    description: 'The calling side, as the exchange writes it. The direction says which side is the patient.',
  }),
  to_phone: nullable(text(MAX.phone), { description: 'The called side, as the exchange writes it.' }),
  handled_by: nullable(strictObject({ id: Id, name: text(MAX.name) }), { description: 'Who in the clinic spoke.' }),
  branch_id: nullable(Id, { description: 'The branch whose phone it was.' }),
  started_at: nullable(RecordedInstant, { description: 'When it began to ring.' }),
  answered_at: nullable(RecordedInstant, { description: 'Null for a call that nobody answered.' }),
  ended_at: nullable(RecordedInstant, { description: 'When it ended.' }),
  duration_seconds: whole(0, MAX.seconds, { description: 'Talk time.' }),
  ring_seconds: whole(0, MAX.seconds, { description: 'From the first ring to the answer, or to the end.' }),
  is_recorded: Type.Boolean({ description: 'Whether the exchange recorded it. Only then can a recording follow.' }),
  note: nullable(text(MAX.note), { description: "The staff's note." }),
}

export const EndedCallRecord = strictObject({ ...ended, ...RecordedAt })
export type EndedCallRecord = Static<typeof EndedCallRecord>

export const CallRecord = strictObject({
  ...ended,
  recording_file_id: nullable(Id, { description: 'The stored file of the recording.' }),
  recording_seconds: nullable(whole(0, MAX.seconds), { description: 'How long the recording is.' }),
  transcript_status: nullable(choice(transcriptStatuses), {
    description: 'Null until there is an outcome. Only a call with talk can have one.',
  }),
  transcript_language: nullable(text(MAX.code), { description: 'The language spoken, for example `he`.' }),
  transcript_summary: nullable(text(MAX.summary), { description: 'Written by a model from the transcript.' }),
  transcript_segments: nullable(list(TranscriptSegmentRecord, MAX.segments), { description: 'In the order of time.' }),
  ...RecordedAt,
})
export type CallRecord = Static<typeof CallRecord>

/** Calls never answered are never transcribed (specification, Call lifecycle). */
export function checkCall(record: CallRecord): Finding[] {
  const findings = findingsIn(CallRecord, record)
  if (findings.length > 0 || record.transcript_status === null) return findings
  if (record.status === 'answered' && record.duration_seconds > 0) return findings
  return [{ place: '/transcript_status', code: 'not_allowed', detail: 'must be null for a call without any talk' }]
}

const endedForms = {
  id: 'key',
  ...stored([...callFields, 'branch_id', 'started_at', 'answered_at', 'ended_at']),
  from_phone: ({ from_phone }: EndedCallRecord, { country }: Clinic) => shownPhone(from_phone, country),
  to_phone: ({ to_phone }: EndedCallRecord, { country }: Clinic) => shownPhone(to_phone, country),
  handled_by: [
    derived<EndedCallRecord>('handled_by_id', ({ handled_by }) => handled_by?.id ?? null),
    derived<EndedCallRecord>('handled_by_name', ({ handled_by }) => handled_by?.name ?? null),
  ],
  created_at: 'once',
  updated_at: 'updated',
} as const

const sides = [
  derived<EndedCallRecord>('patient_phone', (record, { country }) => patientPhone(record, country)),
  derived<EndedCallRecord>('patient_phone_local', (record, { country }) => shownPatientPhone(record, country)),
  derived<EndedCallRecord>('clinic_phone', (record, { country }) => shownPhone(clinicSide(record), country)),
  localDate<EndedCallRecord>('started_date', (record) => record.started_at, 0),
]

const endedCalls = recordTable<EndedCallRecord>()({
  name: 'call',
  fields: { ...endedForms, is_recorded: 'stored' },
  more: sides,
})

const calls = recordTable<CallRecord>()({
  name: 'call',
  fields: {
    ...endedForms,
    is_recorded: ({ is_recorded, recording_file_id }) => is_recorded || recording_file_id !== null,
    ...stored(['recording_file_id', 'recording_seconds']),
    ...stored(['transcript_status', 'transcript_language', 'transcript_summary']),
    transcript_segments: 'json',
  },
  more: sides,
})

function clinicSide({ direction, from_phone, to_phone }: EndedCallRecord): string | null {
  return direction === 'inbound' ? to_phone : from_phone
}

export async function storeCalls(tx: Transaction, clinic: Clinic, records: readonly CallRecord[]): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, calls, records))
}

/** Stores the facts known at the end of calls. The recordings and transcripts of stored calls stay as they are. */
export async function storeEndedCalls(
  tx: Transaction,
  clinic: Clinic,
  records: readonly EndedCallRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, endedCalls, records))
}

export const callKind = recordKind<CallRecord>({
  record: CallRecord,
  table: 'call',
  references: { branch_id: 'branch', recording_file_id: 'file' },
  check: checkCall,
  store: storeCalls,
})
