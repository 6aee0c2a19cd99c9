// One person's payments, and the pages of their accounting documents as REST serves them.
import { Problem } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { documentFile } from '@clinic-data/documents/document-file'
import { type PaymentRow, paymentJoins, paymentResource } from '@clinic-data/records/resources/payment'
import type { LeftOut } from './left-out.ts'
import { onlyTheirPayments } from './only-theirs.ts'
import { ownPages } from './own-rows.ts'
import { isNameOf, type Person, partsOf } from './person.ts'
import type { Reader } from './reader.ts'
import type { Shelf } from './shelf.ts'

interface Parts {
  readonly shelf: Shelf
  readonly leftOut: LeftOut
  /** A document that nobody has opened yet is printed now. */
  readonly now: Date
}

export async function* paymentsOf(database: Database, person: Person, parts: Parts): AsyncGenerator<object> {
  const { clinic, patient_id } = person
  const own = {
    table: 'payment',
    owned: sql`own.patient_id = ${patient_id}`,
    select: (
      ids: ReturnType<typeof sql>,
    ) => sql`select ${paymentResource.columns(clinic)} from payment y ${paymentJoins(clinic)}
      where y.clinic_id = ${clinic.clinic_id} and y.id = any(${ids}) order by y.id`,
  }
  for await (const page of ownPages<PaymentRow>(database, person, own, (rows) => rows)) {
    const theirs = await documentsInTheirName(database, person, page)
    for (const row of page) {
      const payment = onlyTheirPayments(person, paymentResource.render(row))
      const documents: object[] = []
      for (const document of payment.documents) {
        const isTheirs = person.withDoubtful || theirs.has(document.id)
        if (!isTheirs) parts.leftOut.add('documents')
        documents.push({ ...document, page: isTheirs ? await pageOf(database, person, document.id, parts) : null })
      }
      yield { ...payment, documents }
    }
  }
}

interface Customer {
  id: string
  name: string | null
  id_number: string | null
}

/**
 * A document never changes. When a payment was recorded for one patient and corrected to another, it names the first. A document from
 * elsewhere has no page here, so that nobody is named in it.
 */
export async function documentsInTheirName(database: Reader, person: Person, payments: readonly { id: string }[]) {
  const { clinic_id } = person.clinic
  const customers = await database.read<Customer>(
    person.clinic,
    sql`select id, content -> 'customer' ->> 'name' as name, content -> 'customer' ->> 'id_number' as id_number
      from payment_document where clinic_id = ${clinic_id} and payment_id = any(${payments.map(({ id }) => id)}::text[])`,
  )
  return new Set(customers.filter((customer) => isTheirs(person, customer)).map(({ id }) => id))
}

function isTheirs(person: Person, { name, id_number }: Customer): boolean {
  if (name === null && id_number === null) return true
  if (id_number !== null && person.id_number !== null) return id_number === person.id_number
  return isNameOf(person, partsOf(name))
}

/** Null for a document that was issued elsewhere. */
async function pageOf(
  database: Database,
  { clinic }: Person,
  id: string,
  { shelf, now }: Parts,
): Promise<string | null> {
  try {
    const { file } = await documentFile(database, clinic, id, now)
    return shelf.place('documents', file)
  } catch (error) {
    if (error instanceof Problem && error.slug === 'not-found') return null
    throw error
  }
}
