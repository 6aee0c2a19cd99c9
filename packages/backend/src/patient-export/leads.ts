// The leads by which one person came to the clinic. No lead names a patient: a phone or an e-mail that is theirs alone and their name
// together say that it is the same person.
import { type Database, sql, withInstants } from '@clinic-data/database'
import { isNameOf, partsOf, withContact } from '@clinic-data/records/persons/whose'
import { type LeadRow, leadResource } from '@clinic-data/records/resources/lead'
import type { LeftOut } from './left-out.ts'
import { ownRows } from './own-rows.ts'
import type { Person } from './person.ts'

/** The API does not show these fields. */
type HeldLead = LeadRow & {
  external_id: string | null
  meta: object | null
  converted_at: string | null
  updated_at: string
  is_alone: boolean
}

interface Parts {
  readonly leftOut: LeftOut
  /** The ids of the leads that were exported, for their timelines. */
  readonly leads: Set<string>
}

/** Whether a lead is the person's: by a contact that is theirs alone, and by its name. */
export function isTheirLead(
  person: Person,
  row: Pick<LeadRow, 'first_name' | 'last_name'> & { is_alone: boolean },
): boolean {
  return row.is_alone && isNameOf(person, partsOf(row.first_name, row.last_name))
}

/** A submission joins a lead by its phone or e-mail alone, whatever name it has. */
export function isTheirActivity(person: Person, { submission }: Pick<Activity, 'submission'>): boolean {
  return submission === null || isNameOf(person, partsOf(text(submission.first_name), text(submission.last_name)))
}

export async function* leadsOf(database: Database, person: Person, { leftOut, leads }: Parts): AsyncGenerator<object> {
  const { clinic, withDoubtful } = person
  const rows = ownRows<HeldLead>(database, person, {
    table: 'lead',
    owned: withContact(person, sql`own`, 'either'),
    select: (ids) => sql`select ${leadResource.columns(clinic)}, lead.external_id, lead.meta, lead.converted_at,
        lead.updated_at, ${withContact(person, sql`lead`, 'theirs')} as is_alone
      from lead where lead.clinic_id = ${clinic.clinic_id} and lead.id = any(${ids}) order by lead.id`,
  })
  for await (const row of rows) {
    if (!isTheirLead(person, row) && !withDoubtful) {
      leftOut.add('leads')
      continue
    }
    leads.add(row.id)
    const { external_id, meta, converted_at, updated_at } = row
    const more = { external_id, meta, converted_at, updated_at }
    yield { ...leadResource.render(row), ...withInstants(more, 'converted_at', 'updated_at') }
  }
}

export interface Activity {
  id: string
  lead_id: string
  kind: string
  note: string | null
  external_id: string | null
  submission: { first_name?: unknown; last_name?: unknown } | null
  created_at: string
}

export async function* leadActivitiesOf(
  database: Database,
  person: Person,
  { leftOut, leads }: Parts,
): AsyncGenerator<object> {
  const { clinic_id } = person.clinic
  const rows = ownRows<Activity>(database, person, {
    table: 'lead_activity',
    owned: sql`own.lead_id = any(${[...leads]}::text[])`,
    select: (ids) => sql`select a.id, a.lead_id, a.kind, a.note, a.external_id, a.submission, a.created_at
      from lead_activity a where a.clinic_id = ${clinic_id} and a.id = any(${ids}) order by a.id`,
  })
  for await (const row of rows) {
    if (isTheirActivity(person, row) || person.withDoubtful) yield withInstants(row, 'created_at')
    else leftOut.add('lead_activities')
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
