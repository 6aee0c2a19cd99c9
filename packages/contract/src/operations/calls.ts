// Phone calls: of the clinic, of one patient, one by id, and the link to a recording.

import { MAX } from '../limits.ts'
import { idFilter, latestFirst, one, operation, page, paging, period, updatedSince } from '../operation.ts'
import { Call, callDirections, callStatuses, transcriptStatuses } from '../resources/call.ts'
import { FileLink } from '../resources/file-link.ts'
import { choice, exampleOf, strictObject, Type, text } from '../schema.ts'

const example = exampleOf(Call)
const rows = {
  data: [{ ...example, transcript: { ...example.transcript, segments: null } }],
  next_cursor: null,
}

const filters = {
  ...period('started_at'),
  direction: Type.Optional(choice(callDirections, { description: '`inbound` calls come to the clinic.' })),
  status: Type.Optional(choice(callStatuses, { description: 'Only calls that ended so.' })),
  branch_id: idFilter('branch'),
  has_recording: Type.Optional(Type.Boolean({ description: 'Whether a recording can be fetched.' })),
  transcript_status: Type.Optional(
    choice(transcriptStatuses, { description: 'Only calls with this outcome of transcription.' }),
  ),
}

export const callsList = operation({
  id: 'calls.list',
  method: 'GET',
  path: '/v1/calls',
  scope: 'calls:read',
  tag: 'Calls',
  summary: 'List calls',
  description:
    "Latest first. `patient_id` compares every phone of the patient. A row's `transcript.segments` is null; get the call for them.",
  query: strictObject({
    ...filters,
    patient_id: idFilter('patient'),
    phone: Type.Optional(
      text(MAX.phone, {
        minLength: 1,
        format: 'phone',
        description: 'Only calls with this phone, in any common form.',
      }),
    ),
    ...updatedSince,
    ...paging,
  }),
  unknownIds: { branch_id: 'empty', patient_id: 'empty' },
  shape: 'page',
  order: latestFirst('started_at'),
  untrustedText: true,
  output: page(Call),
  example: { query: { from: '2026-07-12', direction: 'inbound' }, answer: rows },
})

export const callsGet = operation({
  id: 'calls.get',
  method: 'GET',
  path: '/v1/calls/{id}',
  scope: 'calls:read',
  tag: 'Calls',
  summary: 'One call',
  description: 'With the whole transcript once there is one.',
  ids: { id: 'call' },
  shape: 'one',
  untrustedText: true,
  output: one(Call),
  example: { params: { id: 'c7710' } },
})

export const callsRecordingGet = operation({
  id: 'calls.recording.get',
  method: 'GET',
  path: '/v1/calls/{id}/recording',
  scope: 'calls:read',
  tag: 'Calls',
  summary: 'A link to the recording',
  description: 'A signed link that needs no key, lives 15 minutes and serves `Range`. 404 while there is no recording.',
  ids: { id: 'call' },
  shape: 'link',
  untrustedText: false,
  output: one(FileLink),
  example: { params: { id: 'c7710' } },
})

export const patientsCallsList = operation({
  id: 'patients.calls.list',
  method: 'GET',
  path: '/v1/patients/{id}/calls',
  scope: 'calls:read',
  tag: 'Calls',
  summary: "A patient's calls",
  description: "Latest first: every call with one of the patient's phones.",
  ids: { id: 'patient' },
  query: strictObject({ ...filters, ...updatedSince, ...paging }),
  unknownIds: { branch_id: 'empty' },
  shape: 'page',
  order: latestFirst('started_at'),
  untrustedText: true,
  output: page(Call),
  example: { params: { id: 'p1042' }, answer: rows },
})
