// The 404 of an id, and the look at whether a patient exists, for lists that came out empty.
import { type Clinic, Problem } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'

/** @example notFound('patient', 'p1') // No patient has the id p1. */
export function notFound(resource: string, id: string, hint = ''): Problem {
  return new Problem('not-found', `No ${resource} has the id ${id}. Ids are clinic-scoped.${hint}`)
}

/** The list of a patient who does not exist is no empty list. */
export async function requirePatient(database: Database, clinic: Clinic, id: string): Promise<void> {
  const rows = await database.read(
    clinic,
    sql`select from patient where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
  if (rows.length === 0) throw notFound('patient', id)
}
