// Everything that is held of one person, and who received it, as the files of an archive (docs/decisions/0117).

import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { type Database, sql } from '@clinic-data/database'
import { contactsOf } from '@clinic-data/records/persons/whose'
import { callsOf, chatConversationsOf, chatMessagesOf, withPhone } from './conversations.ts'
import { eventsOf } from './events.ts'
import { jsonList, jsonObject } from './json-list.ts'
import { leadActivitiesOf, leadsOf } from './leads.ts'
import type { LeftOut } from './left-out.ts'
import type { PatientFile } from './patient-tables.ts'
import { otherDocumentsOf, paymentsOf } from './payments.ts'
import type { Person } from './person.ts'
import { type Made, readme } from './readme.ts'
import { Recipients } from './recipients.ts'
import { Shelf } from './shelf.ts'
import { appointmentsOf, patientOf, treatmentsOf } from './visits.ts'

export { findPerson, type Person, requirePerson } from './person.ts'

export interface ExportedFile {
  readonly name: string
  /** Where it is known before: a file with other bytes is a fault. */
  readonly size?: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface PatientExportParts extends Made {
  /** Stores the audit row of the patient whose data is about to be given out. */
  readonly audit: () => Promise<void>
  /** Counts what is left out. */
  readonly leftOut: LeftOut
}

/**
 * The files of a person's archive: the lists, the bytes that they refer to, and at the end `about.json`, which counts all of them. Only
 * the places of files and the ids of rows are in memory; rows come in pages. A row that is stored meanwhile may be missing.
 *
 * @param owner a database opened as the owner of the tables.
 * @throws Error when a row could not be read, or its audit row not be stored.
 */
export async function* exportPatient(
  owner: Database,
  person: Person,
  parts: PatientExportParts,
): AsyncGenerator<ExportedFile> {
  const { version, now, audit, leftOut, clinic_name } = parts
  await audit()
  yield { name: 'README.txt', content: [Buffer.from(readme(person, parts))] }
  const [shelf, recipients] = [new Shelf(), new Recipients(owner, person, now)]
  const entries: Record<string, number> = {}
  yield { name: 'patient.json', content: [jsonObject(await patientOf(owner, person))] }
  if (!person.withDoubtful) await countShared(owner, person, leftOut)
  const gathered = { shelf, leftOut, now, leads: new Set<string>() }
  const lists: readonly [PatientFile, AsyncIterable<object>][] = [
    ['appointments.json', appointmentsOf(owner, person)],
    ['treatments.json', treatmentsOf(owner, person)],
    ['payments.json', paymentsOf(owner, person, gathered)],
    ['documents.json', otherDocumentsOf(owner, person, gathered)],
    ['calls.json', callsOf(owner, person, shelf)],
    ['chat_conversations.json', chatConversationsOf(owner, person, now)],
    ['chat_messages.json', chatMessagesOf(owner, person, shelf)],
    ['leads.json', leadsOf(owner, person, gathered)],
    ['lead_activities.json', leadActivitiesOf(owner, person, gathered)],
    ['events.json', eventsOf(owner, person, leftOut)],
    // The summary is of the rows before it.
    ['access_log.json', recipients.rows()],
    ['recipients.json', recipients.summary()],
  ]
  for (const [name, items] of lists) {
    entries[name] = 0
    const note = (count: number) => {
      entries[name] = count
    }
    yield { name, content: jsonList(items, note) }
  }
  let files = 0
  for await (const file of shelf.files(owner, person.clinic.clinic_id)) {
    files++
    yield file
  }
  const { clinic, patient_id } = person
  const about = {
    clinic: { id: clinic.clinic_id, name: clinic_name, time_zone: clinic.time_zone },
    patient_id,
    begun_at: zonedInstant(now, clinic.time_zone, 0),
    version,
    entries,
    files,
    left_out: leftOut.counts,
    access_log_names_records_only_until: recipients.recordsOnlyUntil,
  }
  yield { name: 'about.json', content: [jsonObject(about)] }
}

/** The calls and chats of phones that another patient has too. */
async function countShared(owner: Database, person: Person, leftOut: LeftOut): Promise<void> {
  const { clinic_id } = person.clinic
  const count = (table: string) => sql`(select count(*)::integer from ${sql.identifier(table)} own
    where own.clinic_id = ${clinic_id} and ${withPhone(contactsOf(person, 'phone', 'shared'))})`
  const [counted] = await owner.read<Record<'calls' | 'chat_conversations' | 'chat_messages', number>>(
    person.clinic,
    sql`select ${count('call')} as calls, ${count('chat_conversation')} as chat_conversations,
      ${count('chat_message')} as chat_messages`,
  )
  for (const doubt of ['calls', 'chat_conversations', 'chat_messages'] as const) leftOut.add(doubt, counted?.[doubt])
}
