// How each table's rows of a person are erased. A table that `patient-tables.ts` says is erased and that has no way here does not compile.
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { hiddenExternalId, hiddenText } from '@clinic-data/records/resources/hidden-text'
import { NO_NAME } from '@clinic-data/records/storing/erased-records'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import type { ErasedTable } from '../patient-export/patient-tables.ts'
import type { FoundRows } from './find-rows.ts'
import { emptied, type HiddenTable, hiddenColumns, type PersonalTable } from './personal-columns.ts'

export interface Erasing {
  readonly clinic_id: string
  readonly patient_id: string
  readonly found: FoundRows
  /** The time of the change. */
  readonly at: Date
}

type Way = (tx: Transaction, erasing: Erasing) => void | Promise<void>

/** In this order: what names another row comes before it. */
const ways: Readonly<Record<ErasedTable, Way>> = {
  patient_contact: (tx, { clinic_id, patient_id }) => {
    tx.send(sql`delete from patient_contact where clinic_id = ${clinic_id} and patient_id = ${patient_id}`)
  },
  patient_name: (tx, { clinic_id, patient_id }) => {
    tx.send(sql`delete from patient_name where clinic_id = ${clinic_id} and patient_id = ${patient_id}`)
  },
  patient: (tx, erasing) =>
    blank(tx, erasing, 'patient', erasing.found.isHeld ? [erasing.patient_id] : [], sql`name_folded = ''`),
  appointment: (tx, erasing) => blank(tx, erasing, 'appointment', erasing.found.notedAppointments),
  treatment_plan: (tx, { clinic_id, found }) => {
    tx.send(
      sql`update treatment_plan set name = ${NO_NAME} where clinic_id = ${clinic_id} and id = any(${found.plans}::text[])`,
    )
  },
  payment: async (tx, erasing) => {
    const { found } = erasing
    await hide(tx, erasing, 'payment', found.payments)
    blank(tx, erasing, 'payment', found.payments)
  },
  payment_document: (tx, { clinic_id, found }) => {
    for (const { id, content } of found.documents)
      tx.send(sql`update payment_document set content = ${content}::json, file_id = null
        where clinic_id = ${clinic_id} and id = ${id}`)
  },
  call: (tx, erasing) => blank(tx, erasing, 'call', erasing.found.calls, SIDES),
  chat_message: async (tx, erasing) => {
    const { found } = erasing
    await hide(tx, erasing, 'chat_message', found.messages)
    blank(tx, erasing, 'chat_message', found.messages, SIDES)
  },
  chat_conversation: (tx, { clinic_id, found }) => {
    tx.send(
      sql`delete from chat_conversation where clinic_id = ${clinic_id} and id = any(${found.conversations}::text[])`,
    )
  },
  // The id of a submission stays, hidden: it joins the same lead again.
  lead_activity: async (tx, erasing) => {
    const { clinic_id, found } = erasing
    await hide(tx, erasing, 'lead_activity', found.activities)
    tx.send(sql`update lead_activity set note = null, submission = null
      where clinic_id = ${clinic_id} and id = any(${found.activities}::text[]) and external_id is not null`)
    tx.send(sql`delete from lead_activity
      where clinic_id = ${clinic_id} and id = any(${found.activities}::text[]) and external_id is null`)
  },
  lead: async (tx, erasing) => {
    const { clinic_id, found, at } = erasing
    const ids = found.leads.map(({ id }) => id)
    await hide(tx, erasing, 'lead', ids)
    tx.send(sql`update lead as stored set first_name = ${NO_NAME}, ${emptied('lead')}, attribution = input.attribution::json,
        updated_at = ${risenUpdatedAt(at)} from ${sql.input(found.leads, { text: ['id', 'attribution'] })} where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
  },
  // With the file.
  file_piece: () => undefined,
  file: (tx, { clinic_id, found }) => {
    const named = (table: string, column: string) => sql`not exists (select from ${sql.identifier(table)} other
      where other.clinic_id = ${clinic_id} and other.${sql.identifier(column)} = file.id)`
    tx.send(sql`delete from file where clinic_id = ${clinic_id} and id = any(${found.files}::text[])
      and ${named('call', 'recording_file_id')} and ${named('chat_message', 'media_file_id')} and ${named('payment_document', 'file_id')}`)
  },
  event: (tx, { clinic_id, found }) => {
    tx.send(sql`update event as stored set body = input.body from ${sql.input(found.events, { bigint: ['position'], text: ['body'] })}
      where stored.clinic_id = ${clinic_id} and stored.position = input.position`)
  },
  idempotency: (tx, { clinic_id, found }) => {
    tx.send(sql`update idempotency as stored set answer = input.answer::json
      from ${sql.input(found.answers, { text: ['scope', 'key', 'answer'] })}
      where stored.clinic_id = ${clinic_id} and stored.scope = input.scope and stored.key = input.key`)
  },
}

/** Leaves the hidden form of what names these rows elsewhere. A row that was stored anew leaves it to the one that was erased. */
async function hide(tx: Transaction, { clinic_id }: Erasing, name: HiddenTable, ids: readonly string[]): Promise<void> {
  const formOf = (text: string) => (name === 'chat_message' ? hiddenText(text) : hiddenExternalId({ clinic_id }, text))
  const [table, column] = [sql.identifier(name), sql.identifier(hiddenColumns[name])]
  const { rows } = await tx.query<{ id: string; text: string }>(sql`select id, ${column} as text from ${table}
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and ${column} is not null`)
  const forms = rows.map(({ text }) => formOf(text))
  const taken = await tx.query<{ id: string; form: string }>(sql`select id, ${column} as form from ${table}
    where clinic_id = ${clinic_id} and ${column} = any(${forms}::text[])`)
  const holders = new Map(taken.rows.map(({ id, form }) => [form, id]))
  const hidden = rows.map(({ id, text }) => {
    const form = formOf(text)
    return { id, form: (holders.get(form) ?? id) === id ? form : null }
  })
  tx.send(sql`update ${table} as stored set ${column} = input.form
    from ${sql.input(hidden, { text: ['id', 'form'] })} where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
}

/** The clinic's side stays. A cluster cannot read `case direction when`. */
const SIDES = sql`from_phone = case when direction = 'inbound' then null else from_phone end,
  to_phone = case when direction = 'outbound' then null else to_phone end`

function blank(
  tx: Transaction,
  { clinic_id, at }: Erasing,
  table: PersonalTable,
  ids: readonly string[],
  more?: Statement,
): void {
  const set = more === undefined ? emptied(table) : sql`${emptied(table)}, ${more}`
  tx.send(sql`update ${sql.identifier(table)} as stored set ${set}, updated_at = ${risenUpdatedAt(at)}
    where stored.clinic_id = ${clinic_id} and stored.id = any(${ids}::text[])`)
}

export async function eraseRows(tx: Transaction, erasing: Erasing): Promise<void> {
  for (const way of Object.values(ways)) await way(tx, erasing)
  keepErased(tx, erasing)
}

/** So that no source brings them back under the same ids. What has come back and is erased again has the later time. */
function keepErased(tx: Transaction, { clinic_id, patient_id, found, at }: Erasing): void {
  const kinds = {
    patient: [patient_id],
    call: found.calls,
    chat_conversation: found.conversations,
    chat_message: found.messages,
    lead: found.leads.map(({ id }) => id),
  }
  const rows = Object.entries(kinds).flatMap(([kind, ids]) =>
    ids.map((id) => [clinic_id, kind, id, at, patient_id] as const),
  )
  for (const some of sql.chunkRows(rows))
    tx.send(
      sql`insert into erased_record (clinic_id, kind, id, erased_at, patient_id) values ${sql.values(some)}
        on conflict (clinic_id, kind, id) do update set erased_at = excluded.erased_at`,
    )
}
