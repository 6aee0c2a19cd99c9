// Reads what was said with one person: phone calls and chats of the phones that are theirs alone, with recordings and media.
import { type Database, type Statement, sql } from '@clinic-data/database'
import { type CallRow, callColumns, callJoins, callResource } from '@clinic-data/records/resources/call'
import {
  type ChatConversationRow,
  chatConversationColumns,
  renderChatConversation,
} from '@clinic-data/records/resources/chat-conversation'
import { type ChatMessageRow, chatMessageResource } from '@clinic-data/records/resources/chat-message'
import { lookUp } from '@clinic-data/records/resources/look-up'
import { renderStoredFile, type StoredFileColumns, storedFileColumns } from '@clinic-data/records/resources/stored-file'
import { onlyThem } from './only-theirs.ts'
import { ownRows } from './own-rows.ts'
import { type Person, phonesOf } from './person.ts'
import type { Shelf } from './shelf.ts'

/** Whether a row of `own` belongs to one of these phones. */
export const withPhone = (phones: Statement): Statement => sql`own.patient_phone = any(${phones})`

export async function* callsOf(database: Database, person: Person, shelf: Shelf): AsyncGenerator<object> {
  const { clinic } = person
  const { clinic_id } = clinic
  const rows = ownRows<CallRow & StoredFileColumns>(database, person, {
    table: 'call',
    owned: withPhone(phonesOf(person)),
    select: (ids) => sql`select ${callColumns(clinic, 'with segments')}, ${storedFileColumns}
      from call c ${callJoins(clinic)} ${lookUp('file', clinic_id, sql`c.recording_file_id`)}
      where c.clinic_id = ${clinic_id} and c.id = any(${ids}) order by c.id`,
  })
  for await (const row of rows) {
    const recording_file = shelf.place('recordings', renderStoredFile(row))
    yield { ...onlyThem(person, callResource.render(row)), recording_file }
  }
}

export async function* chatConversationsOf(database: Database, person: Person, now: Date): AsyncGenerator<object> {
  const { clinic } = person
  const rows = ownRows<ChatConversationRow>(database, person, {
    table: 'chat_conversation',
    owned: withPhone(phonesOf(person)),
    select: (ids) => sql`select ${chatConversationColumns(clinic, now)} from chat_conversation c
      where c.clinic_id = ${clinic.clinic_id} and c.id = any(${ids}) order by c.id`,
  })
  for await (const row of rows) yield onlyThem(person, renderChatConversation(row))
}

export async function* chatMessagesOf(database: Database, person: Person, shelf: Shelf): AsyncGenerator<object> {
  const { clinic } = person
  const { clinic_id } = clinic
  const rows = ownRows<ChatMessageRow & StoredFileColumns>(database, person, {
    table: 'chat_message',
    owned: withPhone(phonesOf(person)),
    select: (ids) => sql`select ${chatMessageResource.columns(clinic)}, ${storedFileColumns}
      from chat_message m ${lookUp('file', clinic_id, sql`m.media_file_id`)}
      where m.clinic_id = ${clinic_id} and m.id = any(${ids}) order by m.id`,
  })
  for await (const row of rows) {
    const media_file = shelf.place('media', renderStoredFile(row))
    yield { ...onlyThem(person, chatMessageResource.render(row)), media_file }
  }
}
