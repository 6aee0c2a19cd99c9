// Which accounting documents are one person's. A document never changes: when a payment was recorded for one patient and corrected to
// another, it names the first.
import type { PaymentDocument } from '@clinic-data/contract/resources/payment'
import type { Static } from '@clinic-data/contract/schema'
import { sql, wholeSecond } from '@clinic-data/database'
import { isNameOf, partsOf } from '@clinic-data/records/persons/whose'
import type { Person } from './person.ts'
import type { Reader } from './reader.ts'

interface Customer {
  id: string
  name: string | null
  id_number: string | null
  /** Since when it was issued, or its payment was corrected. Null: one of those that were issued by an earlier version. */
  named_patient_id: string | null
}

/** Those of their own payments. A document from elsewhere has no page here, so that nobody is named in it. */
export async function documentsInTheirName(database: Reader, person: Person, payments: readonly { id: string }[]) {
  const { clinic_id } = person.clinic
  const customers = await database.read<Customer>(
    person.clinic,
    sql`select id, content -> 'customer' ->> 'name' as name, content -> 'customer' ->> 'id_number' as id_number, named_patient_id
      from payment_document where clinic_id = ${clinic_id} and payment_id = any(${payments.map(({ id }) => id)}::text[])`,
  )
  return new Set(customers.filter((customer) => isTheirs(person, customer)).map(({ id }) => id))
}

function isTheirs(person: Person, { name, id_number, named_patient_id }: Customer): boolean {
  // People marry. A page without a customer names nobody.
  if (named_patient_id === person.patient_id || (!name && !id_number)) return true
  if (id_number !== null && person.id_number !== null) return id_number === person.id_number
  return isNameOf(person, partsOf(name))
}

export interface IssuedDocument {
  readonly id: string
  /** Null: it was issued elsewhere. */
  readonly content: {
    readonly customer: { readonly name: string; readonly id_number: string | null }
    readonly description: string | null
  } | null
  readonly file_id: string | null
}

type Shown = Static<typeof PaymentDocument>

interface OtherDocument extends IssuedDocument {
  readonly shown: Shown
  /** Two of three say so: it was issued for them, it has their identity number, which no other patient has, and it has their name. */
  readonly isTheirs: boolean
}

/**
 * Documents whose payments are not the person's any more: issued for the person, or with the person's identity number. The name by itself is
 * not looked for: it may be anybody's.
 */
export async function documentsOfOthers(reader: Reader, person: Person): Promise<OtherDocument[]> {
  const { clinic, patient_id, payments } = person
  const id_number = person.id_number || null
  const rows = await reader.read<
    IssuedDocument & Shown & { is_issued_for: boolean | null; is_numbered: boolean | null }
  >(
    clinic,
    sql`select id, type, number::text, issued_at::text, allocation_number, content, file_id,
        named_patient_id = ${patient_id} as is_issued_for,
        content -> 'customer' ->> 'id_number' = ${id_number}::text
          and not exists (select from patient where clinic_id = ${clinic.clinic_id} and id <> ${patient_id} and id_number = ${id_number}) as is_numbered
      from payment_document where clinic_id = ${clinic.clinic_id}
        and (named_patient_id = ${patient_id} or content -> 'customer' ->> 'id_number' = ${id_number}::text)
        and not payment_id = any(${[...payments]}::text[]) order by id`,
  )
  return rows.map(
    ({ id, type, number, issued_at, allocation_number, content, file_id, is_issued_for, is_numbered }) => ({
      id,
      content,
      file_id,
      shown: { id, type, number, issued_at: wholeSecond(issued_at) ?? issued_at, allocation_number },
      isTheirs:
        [is_issued_for, is_numbered, isNameOf(person, partsOf(content?.customer.name))].filter(Boolean).length > 1,
    }),
  )
}
