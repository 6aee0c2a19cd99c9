// The person whose data an export gathers, and what counts as theirs: phones, e-mails and names that nobody else may have meant.
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { contactsOf, partsOf } from '@clinic-data/records/persons/whose'
import { notFound } from '@clinic-data/surface/not-found'
import type { Reader } from './reader.ts'

export interface Person {
  readonly clinic: Clinic
  readonly patient_id: string
  /** The parts of the name in its folded form. */
  readonly name: ReadonlySet<string>
  readonly id_number: string | null
  /** By these ids a row of theirs may name another row. Those of other people are left out of it. */
  readonly payments: ReadonlySet<string>
  readonly appointments: ReadonlySet<string>
  /** Also what may be another person's, because somebody has looked at it. */
  readonly withDoubtful: boolean
}

interface PersonRow {
  first_name: string | null
  last_name: string | null
  id_number: string | null
  payments: string[]
  appointments: string[]
}

/** Null when the clinic has no such patient. */
export async function findPerson(
  database: Reader,
  clinic: Clinic,
  patient_id: string,
  withDoubtful: boolean,
): Promise<Person | null> {
  const { clinic_id } = clinic
  const idsIn = (table: string) => sql`array(select id from ${sql.identifier(table)}
    where clinic_id = ${clinic_id} and patient_id = ${patient_id})`
  const [row] = await database.read<PersonRow>(
    clinic,
    sql`select first_name, last_name, id_number, ${idsIn('payment')} as payments, ${idsIn('appointment')} as appointments
      from patient where clinic_id = ${clinic_id} and id = ${patient_id}`,
  )
  if (row === undefined) return null
  const { first_name, last_name, id_number } = row
  const [payments, appointments] = [new Set(row.payments), new Set(row.appointments)]
  return { clinic, patient_id, name: partsOf(first_name, last_name), id_number, payments, appointments, withDoubtful }
}

/** @throws Problem 404 */
export async function requirePerson(...sought: Parameters<typeof findPerson>): Promise<Person> {
  const person = await findPerson(...sought)
  if (person === null) throw notFound('patient', sought[2])
  return person
}

/** The phones whose calls and chats are exported. */
export function phonesOf(person: Person): Statement {
  return contactsOf(person, 'phone', person.withDoubtful ? 'either' : 'theirs')
}
