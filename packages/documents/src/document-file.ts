// Gives the PDF of an accounting document. It is printed at the first request, and the same file is served from then on.
import { type Clinic, Problem, type StoredFile } from '@clinic-data/contract'
import { type ClinicDatabase, type Statement, sql } from '@clinic-data/database'
import { storeFile } from '@clinic-data/records/file-bytes'
import { renderStoredFile, type StoredFileColumns, storedFileColumns } from '@clinic-data/records/resources/stored-file'
import { notFound } from '@clinic-data/surface/not-found'
import type { AccountingDocument } from './accounting-document.ts'
import { renderDocument } from './render-document.ts'

interface DocumentFile {
  file: StoredFile
  /** Who is named on the page, and whose payment it is now. */
  patient_ids: readonly string[]
}

/** @throws Problem `not-found` when there is no such document, or it was issued elsewhere and only its number is known. */
export async function documentFile(
  database: ClinicDatabase,
  clinic: Clinic,
  id: string,
  now: Date,
): Promise<DocumentFile> {
  const [row] = await database.read<PageRow>(clinic, pageOf(clinic, id))
  if (row === undefined) throw notFound('document', id)
  const { content, patient_id, named_patient_id } = row
  const patient_ids = [...new Set([named_patient_id, patient_id])].filter((id) => id !== null)
  const printed = renderStoredFile(row)
  if (printed !== null) return { file: printed, patient_ids }
  if (content === null) {
    throw new Problem('not-found', `The document ${id} was issued elsewhere: there is no page of it here.`)
  }
  return { file: await storePage(database, clinic, { id, content, now }), patient_ids }
}

type PageRow = StoredFileColumns & {
  content: AccountingDocument | null
  patient_id: string | null
  named_patient_id: string | null
}

function pageOf({ clinic_id }: Clinic, id: string): Statement {
  return sql`select document.content, payment.patient_id, document.named_patient_id, ${storedFileColumns}
    from payment_document document join payment on payment.clinic_id = ${clinic_id} and payment.id = document.payment_id
      left join file on file.clinic_id = ${clinic_id} and file.id = document.file_id
    where document.clinic_id = ${clinic_id} and document.id = ${id}`
}

type Printed = { id: string; content: AccountingDocument; now: Date }

/** When several requests print at once, the first page is stored and returned to all of them. */
async function storePage(database: ClinicDatabase, clinic: Clinic, { id, content, now }: Printed): Promise<StoredFile> {
  const bytes = await renderDocument(content)
  const page = { content_type: 'application/pdf', file_name: `${content.type}-${content.number}.pdf` }
  return database.write(clinic, async (tx) => {
    const { clinic_id } = clinic
    await tx.query(sql`select from payment_document where clinic_id = ${clinic_id} and id = ${id} for update`)
    // Queries again after the lock, because only a statement that begins after the wait sees the other request's file.
    const { rows } = await tx.query<PageRow>(pageOf(clinic, id))
    const printed = rows[0] === undefined ? null : renderStoredFile(rows[0])
    if (printed !== null) return printed
    const { file_id, size_bytes } = await storeFile(tx, clinic_id, now, { ...page, content: [bytes] })
    await tx.query(sql`update payment_document set file_id = ${file_id} where clinic_id = ${clinic_id} and id = ${id}`)
    return { file_id, ...page, size_bytes }
  })
}
