// One person's payments, and the pages of their accounting documents as REST serves them.
import { Problem } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { documentFile } from '@clinic-data/documents/document-file'
import { type PaymentRow, paymentJoins, paymentResource } from '@clinic-data/records/resources/payment'
import { documentsInTheirName, documentsOfOthers } from './documents.ts'
import type { LeftOut } from './left-out.ts'
import { onlyTheirPayments } from './only-theirs.ts'
import { ownPages } from './own-rows.ts'
import type { Person } from './person.ts'
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

/** The documents in the person's name whose payments have become another patient's. They name neither that patient nor the payment. */
export async function* otherDocumentsOf(database: Database, person: Person, parts: Parts): AsyncGenerator<object> {
  for (const { id, shown, isTheirs } of await documentsOfOthers(database, person)) {
    if (isTheirs || person.withDoubtful) yield { ...shown, page: await pageOf(database, person, id, parts) }
    else parts.leftOut.add('documents')
  }
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
