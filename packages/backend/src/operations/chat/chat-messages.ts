// Chat messages: of the clinic, of a conversation, of a patient, one by id, and the file of its media.
import { type Clinic, type HandlerInput, type Operations, Problem } from '@clinic-data/contract'
import { messageDirections, messageStatuses, messageTypes } from '@clinic-data/contract/resources/chat'
import { type Statement, sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { changedSince, within } from '@clinic-data/records/filters/period'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import {
  type ChatMessageRow,
  chatMessageResource,
  chatMessagesWhere,
} from '@clinic-data/records/resources/chat-message'
import { lookUp } from '@clinic-data/records/resources/look-up'
import { type PatientsWithPhone, patientsWithPhone } from '@clinic-data/records/resources/patient-summary'
import { renderStoredFile, type StoredFileColumns, storedFileColumns } from '@clinic-data/records/resources/stored-file'
import { notFound, requireConversation, requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../../handling/handled.ts'
import {
  type Order,
  orderOfChange,
  orderOfLatest,
  type Positioned,
  pageAnswer,
  pageOfPatient,
  pageOrder,
} from '../../handling/page.ts'

type Ids =
  | 'chat.messages.list'
  | 'chat.messages.get'
  | 'chat.messages.media.get'
  | 'chat.conversations.messages.list'
  | 'patients.chat_messages.list'
type ListQuery = HandlerInput<Operations['chat.messages.list']>['query']

const latestFirst = orderOfLatest(sql`m`, sql`created_at`)
const byChange = orderOfChange(sql`m`)

const hasDirection = choiceFilter('m.direction', messageDirections)
const hasStatus = choiceFilter('m.status', messageStatuses)
const hasType = choiceFilter('m.type', messageTypes)

export function chatMessageHandlers({ database }: HandlerParts): HandlersOf<Ids> {
  async function list(clinic: Clinic, query: ListQuery) {
    const { order, rows } = listed(clinic, query)
    const found = await database.read<ChatMessageRow & Positioned>(
      clinic,
      sql`select ${chatMessageResource.columns(clinic)}, m.sort from ${rows} m ${pageOrder(sql`m`, order)}`,
    )
    return pageAnswer(found, query, chatMessageResource.render)
  }

  return {
    'chat.messages.list': ({ clinic }, { query }) => list(clinic, query),

    'chat.conversations.messages.list': async ({ clinic }, { params: { id }, query }) => {
      const answer = await list(clinic, { ...query, conversation_id: id })
      if (answer.data.length === 0) await requireConversation(database, clinic, id)
      return answer
    },

    'patients.chat_messages.list': async ({ clinic }, { params: { id }, query }) => {
      const answer = await list(clinic, { ...query, patient_id: id })
      if (answer.data.length === 0) await requirePatient(database, clinic, id)
      return answer
    },

    'chat.messages.get': async ({ clinic }, { params: { id } }) => {
      const [row] = await database.read<ChatMessageRow>(clinic, chatMessagesWhere(clinic, sql`m.id = ${id}`))
      if (row === undefined) throw noMessage(id)
      return { data: chatMessageResource.render(row) }
    },

    'chat.messages.media.get': async ({ clinic }, { params: { id } }) => {
      const [row] = await database.read<StoredFileColumns & { patients: PatientsWithPhone }>(
        clinic,
        sql`select ${storedFileColumns}, ${patientsWithPhone(clinic.clinic_id, sql`m.patient_phone`)} as patients
          from chat_message m
          ${lookUp('file', clinic.clinic_id, sql`m.media_file_id`)}
          where m.clinic_id = ${clinic.clinic_id} and m.id = ${id}`,
      )
      if (row === undefined) throw noMessage(id)
      const data = renderStoredFile(row)
      if (data === null) throw new Problem('not-found', `The chat message ${id} has no media: see media.available.`)
      return { data, patient_ids: (row.patients ?? []).map((patient) => patient.id) }
    },
  }
}

function listed({ clinic_id, country }: Clinic, query: ListQuery): { order: Order; rows: Statement } {
  const { phone, conversation_id, direction, status, type, updated_since } = query
  const where = [sql`m.clinic_id = ${clinic_id}`]
  if (conversation_id !== undefined) where.push(sql`m.conversation_id = ${conversation_id}`)
  if (direction !== undefined) where.push(hasDirection(direction))
  if (status !== undefined) where.push(hasStatus(status))
  if (type !== undefined) where.push(hasType(type))
  if (phone !== undefined) where.push(sql`m.patient_phone = ${comparedPhone(phone, country)}`)
  where.push(...within(latestFirst.sort, query))
  if (updated_since !== undefined) where.push(changedSince(byChange.sort, updated_since))
  const order = updated_since === undefined ? latestFirst : byChange
  const listed = { columns: sql`m.*`, from: sql`chat_message m`, where, order }
  return { order, rows: pageOfPatient(clinic_id, sql`m.patient_phone`, listed, query) }
}

/** Every message's id has its prefix, so an id without it does not exist. */
function noMessage(id: string): Problem {
  return notFound('chat message', id, ' The whole string is the id, its prefix in_ or out_ included.')
}
