// A used clinic whose patient is erased, all that its tables hold, and where a mark of the patient still stands in it.
import { clinicTables } from '@clinic-data/backend/offboarding/clinic-tables'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { documentFile } from '@clinic-data/documents/document-file'
import { ask, type TestService } from '@clinic-data/testing/run/test-service'
import { DOUBTFUL, OTHER, OWN, twoPatients } from './two-patients.ts'

export type Row = Record<string, unknown>

/** Everything that the clinic has, by table. Bytes are shown as text. */
export async function everythingOf(owner: Database, clinic: Clinic): Promise<Map<string, Row[]>> {
  const held = new Map<string, Row[]>()
  for (const table of Object.keys(clinicTables)) {
    const rows = await owner.read<{ row: Row; bytes: string | null }>(
      utcSession(clinic.clinic_id),
      sql`select to_jsonb(t) as row, ${table === 'file_piece' ? sql`encode(content, 'escape')` : sql`null::text`} as bytes
        from ${sql.identifier(table)} t where clinic_id = ${clinic.clinic_id} order by to_jsonb(t)::text`,
    )
    held.set(
      table,
      rows.map(({ row, bytes }) => (bytes === null ? row : { ...row, content: bytes })),
    )
  }
  return held
}

/** Ids stay, and what the law or the clinic's own words are. */
const STAYS =
  /(^|(?<!external)_)ids?$|^patient_reads?$|^chat_message\.template$|^payment_document\.allocation_number$|^idempotency\.scope$|^audit/

export const PHONE = /501111111/

/** Where a mark or the phone of the first patient stands, also within JSON and events. */
function marksIn(place: string, name: string, value: unknown): string[] {
  if (STAYS.test(name) || STAYS.test(place)) return []
  if (typeof value === 'string' && value.startsWith('{')) return marksIn(place, name, JSON.parse(value))
  if (typeof value === 'string')
    return PHONE.test(value) || new RegExp(`${OWN}(?!2)`).test(value) ? [`${place}: ${value}`] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => marksIn(place, Array.isArray(value) ? name : key, one))
}

/** A lead in another name keeps the phone: nobody knows whose it is. */
const isDoubtful = ({ id }: Row) => String(id).startsWith(DOUBTFUL)

export const marksOf = (held: ReadonlyMap<string, readonly Row[]>) =>
  [...held].flatMap(([table, rows]) =>
    rows
      .filter((row) => table !== 'lead' || !isDoubtful(row))
      .flatMap((row) => Object.entries(row).flatMap(([column, value]) => marksIn(`${table}.${column}`, column, value))),
  )

const FOREIGN = new RegExp(`${OTHER}|${DOUBTFUL}`)
/** The rows with a mark of somebody else, apart from those that events and the log add. */
export const foreignOf = (held: ReadonlyMap<string, readonly Row[]>) =>
  [...held]
    .filter(([table]) => !/^(event|audit|delivery)/.test(table))
    .flatMap(([table, rows]) => rows.map((row) => `${table} ${JSON.stringify(row)}`).filter((row) => FOREIGN.test(row)))

/** With what only a used clinic has: a message that the platform knows, a subscription, an answer that is kept, and a printed document. */
export async function usedClinic(service: TestService) {
  const { owner } = service
  const two = await twoPatients(service)
  const { clinic, key } = two
  const { clinic_id } = clinic
  await owner.query(sql`update chat_message set platform_message_id = ${`${OWN}-wamid`}, platform_content = '{"a":"zq1-content"}'
    where clinic_id = ${clinic_id} and id = 'out_1001'`)
  await owner.query(sql`update call set started_at = '2026-03-01T08:00Z', started_date = '2026-03-01', duration_seconds = 60
    where clinic_id = ${clinic_id}`)
  await owner.query(sql`update treatment set effective_date = '2026-03-01' where clinic_id = ${clinic_id}`)
  const headers = { 'idempotency-key': 'again' }
  const body = { amount: 20, method_type: 'cash', description: `${OWN}-kept` }
  const pay = () => ask(service, key, `/v1/patients/${OWN}/payments`, { method: 'POST', headers, body })
  const { json } = await pay()
  await documentFile(service.database, clinic, json.data.documents[0].id, new Date())
  return { ...two, pay, payment: json.data }
}
