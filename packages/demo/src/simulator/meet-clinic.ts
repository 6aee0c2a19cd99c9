// Reads what a simulation needs of a clinic: its statuses, types, providers, patients and so on.
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql, utcSession } from '@clinic-data/database'
import type { Catalog, Person } from './living-clinic.ts'

/** Enough patients that a day's visitors vary. */
const MOST_PEOPLE = 2_000

export interface Met {
  catalog: Catalog
  people: Person[]
}

/** @throws Error naming what the clinic lacks. */
export async function meetClinic(owner: Database, { clinic_id, currency }: Clinic): Promise<Met> {
  // Row level security binds the owner, too.
  const session = utcSession(clinic_id)
  const idsOf = async (table: string) => {
    const rows = await owner.read<{ id: string }>(
      session,
      sql`select id from ${sql.identifier(table)} where clinic_id = ${clinic_id} order by id`,
    )
    if (rows.length === 0) throw new Error(`the clinic has no ${table.replaceAll('_', ' ')}: nothing can happen in it`)
    return rows.map(({ id }) => id)
  }
  const statuses = await owner.read<{ id: string; kind: string }>(
    session,
    sql`select id, kind from appointment_status where clinic_id = ${clinic_id} and enabled order by id`,
  )
  const people = await owner.read<Person>(
    session,
    sql`select id, coalesce(first_name, '') as first_name, phone from patient
      where clinic_id = ${clinic_id} and phone is not null order by id limit ${MOST_PEOPLE}`,
  )
  if (people.length === 0) throw new Error('the clinic has no patient with a phone: nothing can happen in it')
  const settings = await owner.read<{ ai_transcription: boolean }>(
    session,
    sql`select ai_transcription from clinic where clinic_id = ${clinic_id}`,
  )
  return {
    people,
    catalog: {
      branches: await idsOf('branch'),
      providers: await idsOf('provider'),
      appointment_types: await idsOf('appointment_type'),
      catalog_treatments: await idsOf('catalog_treatment'),
      billing_accounts: await idsOf('billing_account'),
      statuses: Object.fromEntries(
        Object.entries(Object.groupBy(statuses, ({ kind }) => kind)).map(([kind, rows]) => [
          kind,
          (rows ?? []).map(({ id }) => id),
        ]),
      ),
      currency,
      transcribes: settings[0]?.ai_transcription ?? false,
    },
  }
}
