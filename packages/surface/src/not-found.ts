// The 404 of an unknown id, and the check whether a patient exists, for empty lists.
import { type Clinic, Problem } from '@clinic-data/contract'
import { type Database, type Statement, sql } from '@clinic-data/database'

/** @example notFound('patient', 'p1') // No patient has the id p1. */
export function notFound(resource: string, id: string, hint = ''): Problem {
  return new Problem('not-found', `No ${resource} has the id ${id}. Ids belong to one clinic.${hint}`)
}

/** The list of an unknown patient or conversation is a 404, not an empty list. */
export const requirePatient = requirement('patient', sql`patient`)
export const requireConversation = requirement('chat conversation', sql`chat_conversation`)

function requirement(resource: string, table: Statement) {
  return async (database: Database, clinic: Clinic, id: string): Promise<void> => {
    const rows = await database.read(
      clinic,
      sql`select from ${table} where clinic_id = ${clinic.clinic_id} and id = ${id}`,
    )
    if (rows.length === 0) throw notFound(resource, id)
  }
}
