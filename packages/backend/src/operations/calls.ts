// Phone calls: of the clinic, of one patient, one by id, and the file of a recording.
import { type HandlerInput, type Operations, Problem } from '@clinic-data/contract'
import { callDirections, callStatuses, transcriptStatuses } from '@clinic-data/contract/resources/call'
import { sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import { orderOfLatest } from '@clinic-data/records/lists/page'
import { callColumns, callJoins, callResource, callsWhere } from '@clinic-data/records/resources/call'
import { requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { fileHandler, type List, listHandlers, oneHandler } from '../handling/list.ts'

type Ids = 'calls.list' | 'calls.get' | 'calls.recording.get' | 'patients.calls.list'
type Query = Omit<HandlerInput<Operations['calls.list']>['query'], 'patient_id'>

const calls: List<Query, typeof callResource> = {
  name: sql`c`,
  from: sql`call c`,
  order: orderOfLatest(sql`c`, sql`started_sort`),
  phone: sql`c.patient_phone`,
  filters: {
    direction: choiceFilter('c.direction', callDirections),
    status: choiceFilter('c.status', callStatuses),
    branch_id: (id) => sql`c.branch_id = ${id}`,
    has_recording: (has) => (has ? sql`c.has_recording` : sql`not c.has_recording`),
    transcript_status: choiceFilter('c.transcript_status', transcriptStatuses),
    phone: (phone, { country }) => sql`c.patient_phone = ${comparedPhone(phone, country)}`,
  },
  columns: (clinic) => callColumns(clinic, 'without segments'),
  joins: callJoins,
  render: callResource.render,
}

export function callHandlers(parts: HandlerParts): HandlersOf<Ids> {
  const list = listHandlers(parts, calls)
  return {
    'calls.list': list.whole,
    'patients.calls.list': list.of('patient_id', requirePatient),
    'calls.get': oneHandler(parts, 'call', (clinic, id) => callsWhere(clinic, sql`c.id = ${id}`), callResource.render),
    'calls.recording.get': fileHandler(parts, 'call', calls, sql`c.recording_file_id`, noRecording),
  }
}

function noRecording(id: string): Problem {
  return new Problem(
    'not-found',
    `The call ${id} has no recording. One of a recorded call arrives 2 to 15 minutes after its end: see recording.available.`,
  )
}
