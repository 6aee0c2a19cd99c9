// The 404 of an unknown id, and the check whether a patient exists, for empty lists.
import { type Clinic, Problem } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'

/** @example notFound('patient', 'p1') // No patient has the id p1. */
export function notFound(resource: string, id: string, hint = ''): Problem {
  return new Problem('not-found', `No ${resource} has the id ${id}. Ids are clinic-scoped.${hint}`)
}

/** An unknown patient's list is a 404, not an empty list. */
export async function requirePatient(database: Database, clinic: Clinic, id: string): Promise<void> {
  const rows = await database.read(
    clinic,
    sql`select from patient where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
  if (rows.length === 0) throw notFound('patient', id)
}
