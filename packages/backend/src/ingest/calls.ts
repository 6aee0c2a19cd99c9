// Calls from the exchange and the systems behind it: the end first, then notes, the recording, the transcript.

import { type CallNote, changeCallNotes } from '@clinic-data/changes/call-notes'
import { type CallRecording, changeCallRecordings } from '@clinic-data/changes/call-recordings'
import { type CallTranscript, changeCallTranscripts } from '@clinic-data/changes/call-transcripts'
import { type CallReport, changeCalls } from '@clinic-data/changes/calls'
import { MAX } from '@clinic-data/contract'
import { transcriptStatuses } from '@clinic-data/contract/resources/call'
import { about, choice, Id, list, nullable, strictObject, Type, text, whole } from '@clinic-data/contract/schema'
import type { Finding } from '@clinic-data/contract/validator'
import { EndedCallRecord, TranscriptSegmentRecord } from '@clinic-data/records/calls'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { storeRecords } from './store-records.ts'

const { note } = EndedCallRecord.properties

const SentCall = strictObject({
  ...sentForm(EndedCallRecord).properties,
  note: Type.Optional({
    ...note,
    description: "The staff's note. Left out: the stored note stays. Null: there is no note.",
  }),
})

const SentNote = strictObject({ id: Id, note: about('The whole note; null removes it.', note) })

const SentRecording = strictObject({
  id: Id,
  file_id: text(MAX.id, { minLength: 1, description: 'The id of an audio file that was uploaded before.' }),
  duration_seconds: nullable(whole(0, MAX.seconds), { description: 'How long the recording is.' }),
})

const SentTranscript = strictObject({
  id: Id,
  status: choice(transcriptStatuses, { description: 'If `failed`, the other fields are left out.' }),
  language: nullable(text(MAX.code), { description: 'The language spoken, for example `he`.' }),
  summary: nullable(text(MAX.summary), { description: 'Written by a model from the transcript.' }),
  segments: nullable(list(TranscriptSegmentRecord, MAX.segments), {
    description: 'In the order of time. Required if `completed`; empty if nothing could be understood.',
  }),
})

const AFTER_ITS_CALL =
  'A call that is not stored yet is a fault (`unknown_id`): store the call, then send the same again.'

export const callOperations = [
  recordsOperation({
    id: 'calls.store',
    erasable: { id: 'call' },
    ofPhones: 'call',
    path: '/calls',
    tag: 'Calls',
    summary: 'Store calls that have ended',
    description:
      'Fires `call.completed` for a new call, `call.updated` when the note differs. Other corrections are stored and fire nothing. The recording and the transcript of a stored call stay as they are.',
    record: SentCall,
    references: { branch_id: 'branch' },
    example: {
      id: 'c7710',
      direction: 'inbound',
      status: 'answered',
      from_phone: '050-123-4567',
      to_phone: '04-812-3456',
      handled_by: { id: 'agent7', name: 'Dana' },
      started_at: '2026-07-12T09:20:00+03:00',
      answered_at: '2026-07-12T09:20:08+03:00',
      ended_at: '2026-07-12T09:22:08+03:00',
      duration_seconds: 120,
      ring_seconds: 8,
      is_recorded: true,
    },
    apply: storeRecords<CallReport>({ change: changeCalls }),
  }),
  recordsOperation({
    id: 'calls.notes.store',
    erasable: { id: 'call' },
    path: '/calls/notes',
    tag: 'Calls',
    summary: "Store the staff's notes on calls",
    description: `Fires \`call.updated\` when the note differs. ${AFTER_ITS_CALL}`,
    record: SentNote,
    becomes: 'updated',
    example: { id: 'c7710', note: 'Call back on Tuesday.' },
    apply: storeRecords<CallNote>({ change: changeCallNotes }),
  }),
  recordsOperation({
    id: 'calls.recordings.store',
    erasable: { id: 'call' },
    path: '/calls/recordings',
    tag: 'Calls',
    summary: 'Store recordings that are ready',
    description: `Fires \`call.recording.available\`, once. Faults: the call has another recording already (\`exists\`), was not recorded (\`not_recorded\`), or has a transcript already (\`transcribed\`). ${AFTER_ITS_CALL}`,
    record: sentForm(SentRecording),
    references: { file_id: 'file' },
    becomes: 'updated',
    example: { id: 'c7710', file_id: 'f7710', duration_seconds: 120 },
    apply: storeRecords<CallRecording>({ change: changeCallRecordings }),
  }),
  recordsOperation({
    id: 'calls.transcripts.store',
    erasable: { id: 'call' },
    path: '/calls/transcripts',
    tag: 'Calls',
    summary: 'Store outcomes of transcriptions',
    description: `Fires \`call.transcript.completed\` or \`call.transcript.failed\`, once. Faults: the call has another outcome already (\`exists\`), had no answer or no talk (\`no_talk\`), belongs to a clinic without AI transcription (\`no_transcription\`), or was recorded and its recording has not come yet (\`recording_first\`). ${AFTER_ITS_CALL}`,
    record: sentForm(SentTranscript),
    becomes: 'updated',
    example: {
      id: 'c7710',
      status: 'completed',
      language: 'en',
      summary: 'The patient asked to move a check-up to Tuesday.',
      segments: [{ speaker: 'agent', start_seconds: 0.4, end_seconds: 3.1, text: 'Carmel Dental, good morning.' }],
    },
    apply: storeRecords<CallTranscript>({ check: checkTranscript, change: changeCallTranscripts }),
  }),
]

function checkTranscript({ status, language, summary, segments }: CallTranscript): Finding[] {
  if (status === 'failed') {
    return Object.entries({ language, summary, segments }).flatMap(([field, value]) =>
      value === null
        ? []
        : [{ place: `/${field}`, code: 'not_allowed', detail: 'must be null: the transcription failed' }],
    )
  }
  return segments === null
    ? [{ place: '/segments', code: 'required', detail: 'is required, as a list: the transcription completed' }]
    : []
}
