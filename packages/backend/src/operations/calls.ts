// Phone calls: of the clinic, of one patient, one by id, and the file of a recording.
import { type Clinic, type HandlerInput, type Operations, Problem } from '@clinic-data/contract'
import { callDirections, callStatuses, transcriptStatuses } from '@clinic-data/contract/resources/call'
import { type Statement, sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { changedSince, within } from '@clinic-data/records/filters/period'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import { type CallRow, callColumns, callJoins, callResource } from '@clinic-data/records/resources/call'
import { lookUp } from '@clinic-data/records/resources/look-up'
import { type PatientsWithPhone, patientsWithPhone } from '@clinic-data/records/resources/patient-summary'
import { renderStoredFile, type StoredFileColumns, storedFileColumns } from '@clinic-data/records/resources/stored-file'
import { notFound, requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import {
  type Order,
  orderOfChange,
  orderOfLatest,
  type Positioned,
  pageAnswer,
  pageOfPatient,
  pageOrder,
} from '../handling/page.ts'

type Ids = 'calls.list' | 'calls.get' | 'calls.recording.get' | 'patients.calls.list'
type ListQuery = HandlerInput<Operations['calls.list']>['query']

const latestFirst = orderOfLatest(sql`c`, sql`started_sort`)
const byChange = orderOfChange(sql`c`)

const hasDirection = choiceFilter('c.direction', callDirections)
const hasStatus = choiceFilter('c.status', callStatuses)
const hasTranscript = choiceFilter('c.transcript_status', transcriptStatuses)

export function callHandlers({ database }: HandlerParts): HandlersOf<Ids> {
  async function list(clinic: Clinic, query: ListQuery) {
    const { order, rows } = listed(clinic, query)
    const found = await database.read<CallRow & Positioned>(
      clinic,
      sql`select ${callColumns(clinic, 'without segments')}, c.sort
        from ${rows} c ${callJoins(clinic)} ${pageOrder(sql`c`, order)}`,
    )
    return pageAnswer(found, query, callResource.render)
  }

  return {
    'calls.list': ({ clinic }, { query }) => list(clinic, query),

    'patients.calls.list': async ({ clinic }, { params: { id }, query }) => {
      const answer = await list(clinic, { ...query, patient_id: id })
      if (answer.data.length === 0) await requirePatient(database, clinic, id)
      return answer
    },

    'calls.get': async ({ clinic }, { params: { id } }) => {
      const [row] = await database.read<CallRow>(
        clinic,
        sql`select ${callColumns(clinic, 'with segments')} from call c ${callJoins(clinic)}
          where c.clinic_id = ${clinic.clinic_id} and c.id = ${id}`,
      )
      if (row === undefined) throw notFound('call', id)
      return { data: callResource.render(row) }
    },

    'calls.recording.get': async ({ clinic }, { params: { id } }) => {
      const [row] = await database.read<StoredFileColumns & { patients: PatientsWithPhone }>(
        clinic,
        sql`select ${storedFileColumns}, ${patientsWithPhone(clinic.clinic_id, sql`c.patient_phone`)} as patients
          from call c
          ${lookUp('file', clinic.clinic_id, sql`c.recording_file_id`)}
          where c.clinic_id = ${clinic.clinic_id} and c.id = ${id}`,
      )
      if (row === undefined) throw notFound('call', id)
      const data = renderStoredFile(row)
      if (data === null) throw noRecording(id)
      return { data, patient_ids: (row.patients ?? []).map((patient) => patient.id) }
    },
  }
}

function listed({ clinic_id, country }: Clinic, query: ListQuery): { order: Order; rows: Statement } {
  const { phone, updated_since } = query
  const where = [sql`c.clinic_id = ${clinic_id}`]
  if (query.direction !== undefined) where.push(hasDirection(query.direction))
  if (query.status !== undefined) where.push(hasStatus(query.status))
  if (query.branch_id !== undefined) where.push(sql`c.branch_id = ${query.branch_id}`)
  if (query.has_recording !== undefined)
    where.push(query.has_recording ? sql`c.has_recording` : sql`not c.has_recording`)
  if (query.transcript_status !== undefined) where.push(hasTranscript(query.transcript_status))
  if (phone !== undefined) where.push(sql`c.patient_phone = ${comparedPhone(phone, country)}`)
  where.push(...within(latestFirst.sort, query))
  if (updated_since !== undefined) where.push(changedSince(byChange.sort, updated_since))
  const order = updated_since === undefined ? latestFirst : byChange
  const listed = { columns: sql`c.*`, from: sql`call c`, where, order }
  return { order, rows: pageOfPatient(clinic_id, sql`c.patient_phone`, listed, query) }
}

function noRecording(id: string): Problem {
  return new Problem(
    'not-found',
    `The call ${id} has no recording. One of a recorded call arrives 2 to 15 minutes after its end: see recording.available.`,
  )
}
