// The opponent of an import: the same appointments and their providers, inserted from arrays into tables with the same columns,
// checks and indexes, but without references, row level security, comparison or report.
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'

const BATCH = 1_000

/** Most appointments that are copied. */
const MOST = 20_000

const appointmentColumns = {
  text: ['clinic_id', 'id', 'patient_id', 'branch_id', 'type_id', 'status_id', 'note'],
  timestamptz: ['start', 'end', 'cancelled_at', 'created_at', 'updated_at', 'start_date', 'created_date'],
} as const
const providerColumns = {
  text: ['clinic_id', 'appointment_id', 'provider_id'],
  int: ['position'],
  timestamptz: ['start_sort', 'end'],
  boolean: ['busy'],
} as const

type Columns = Readonly<Record<string, readonly string[]>>
type Row = Readonly<Record<string, string | number | boolean | null>>

/** @returns appointments per second. */
export async function bareRowsPerSecond(owner: Database, { clinic_id }: Pick<Clinic, 'clinic_id'>): Promise<number> {
  const appointments = await rowsOf(owner, 'appointment', clinic_id)
  const providers = await rowsOf(owner, 'appointment_provider', clinic_id)
  const startedAt = performance.now()
  for (let at = 0; at < appointments.length; at += BATCH) {
    await insert(owner, 'appointment', appointmentColumns, appointments.slice(at, at + BATCH))
    await insert(owner, 'appointment_provider', providerColumns, providers.slice(at, at + BATCH))
  }
  return (appointments.length * 1000) / (performance.now() - startedAt)
}

/** Makes the bare table, and reads what goes into it. */
async function rowsOf(owner: Database, table: string, clinic_id: string): Promise<Row[]> {
  const [name, bare] = [sql.identifier(table), sql.identifier(`bare_${table}`)]
  await owner.query(sql`drop table if exists ${bare}`)
  await owner.query(sql`create table ${bare} (like ${name} including all)`)
  const { rows } = await owner.query<Row>(sql`select * from ${name} where clinic_id = ${clinic_id} limit ${MOST}`)
  return rows
}

async function insert(owner: Database, table: string, columns: Columns, rows: readonly Row[]): Promise<void> {
  const names = sql.join(Object.values(columns).flatMap((list) => list.map((name) => sql.identifier(name))))
  await owner.query(sql`insert into ${sql.identifier(`bare_${table}`)} (${names})
    select ${names} from ${sql.input(rows, columns)}`)
}
