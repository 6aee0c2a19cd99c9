// Phone calls: of the clinic, of one patient, one by id, and the link to a recording.

import { MAX } from '../limits.ts'
import { idFilter, paging, period, updatedSince } from '../list-parameters.ts'
import { answersLink, answersOne, answersPage, latestFirst, operation, reading } from '../operation.ts'
import { Call, callDirections, callStatuses, transcriptStatuses } from '../resources/call.ts'
import { FileLink } from '../resources/file-link.ts'
import { choice, exampleOf, strictObject, Type, text } from '../schema/schema.ts'

const example = exampleOf(Call)
const rows = {
  data: [{ ...example, transcript: { ...example.transcript, segments: null } }],
  next_cursor: null,
}

const filters = {
  ...period('started_at'),
  direction: Type.Optional(choice(callDirections, { description: '`inbound` calls come to the clinic.' })),
  status: Type.Optional(choice(callStatuses, { description: 'Only calls that ended in this way.' })),
  branch_id: idFilter('branch'),
  has_recording: Type.Optional(
    Type.Boolean({ description: 'Only calls with a recording (`true`) or without one (`false`).' }),
  ),
  transcript_status: Type.Optional(
    choice(transcriptStatuses, { description: 'Only calls with this outcome of transcription.' }),
  ),
}

const read = reading({ scope: 'calls:read', tag: 'Calls', untrustedText: true, patients: 'patients' })

export const callsList = operation({
  ...read('calls.list', '/v1/calls'),
  summary: 'List calls',
  description:
    'Latest first. `patient_id` finds calls with any phone of the patient. `transcript.segments` is null in lists: get one call to read them.',
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
  ...answersPage(Call, latestFirst('started_at')),
  example: { query: { from: '2026-07-12', direction: 'inbound' }, answer: rows },
})

export const callsGet = operation({
  ...read('calls.get', '/v1/calls/{id}'),
  summary: 'One call',
  description: 'By id. Includes the whole transcript, if there is one.',
  ids: { id: 'call' },
  ...answersOne(Call),
})

export const callsRecordingGet = operation({
  ...read('calls.recording.get', '/v1/calls/{id}/recording'),
  summary: 'A link to the recording',
  description:
    'Answers a signed link. The link needs no key, is valid for 15 minutes and serves `Range`. 404 if there is no recording yet.',
  ids: { id: 'call' },
  ...answersLink(FileLink),
})

export const patientsCallsList = operation({
  ...read('patients.calls.list', '/v1/patients/{id}/calls'),
  summary: "A patient's calls",
  description: "Latest first: every call with one of the patient's phones.",
  ids: { id: 'patient' },
  query: strictObject({ ...filters, ...updatedSince, ...paging }),
  unknownIds: { branch_id: 'empty' },
  ...answersPage(Call, latestFirst('started_at')),
  example: { answer: rows },
})
