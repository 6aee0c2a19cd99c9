// The page of an accounting document: printed when it is first asked for, and the same file from then on.
import { type Clinic, Problem, type StoredFile } from '@clinic-data/contract'
import { type Database, type Statement, sql } from '@clinic-data/database'
import { storeFile } from '../files.ts'
import { notFound } from '../operations/not-found.ts'
import { renderStoredFile, type StoredFileColumns, storedFileColumns } from '../resources/stored-file.ts'
import type { AccountingDocument } from './accounting-document.ts'
import { renderDocument } from './render-document.ts'

/** @throws Problem `not-found` when there is no such document, or it was issued elsewhere and only its number is known. */
export async function documentFile(database: Database, clinic: Clinic, id: string, now: Date): Promise<StoredFile> {
  const [row] = await database.read<StoredFileColumns & { content: AccountingDocument | null }>(
    clinic,
    sql`select d.content, ${storedFileColumns}
      from payment_document d left join file on file.clinic_id = ${clinic.clinic_id} and file.id = d.file_id
      where ${isDocument(clinic, id)}`,
  )
  if (row === undefined) throw notFound('document', id)
  const printed = renderStoredFile(row)
  if (printed !== null) return printed
  if (row.content === null) throw new Problem('not-found', `The document ${id} was issued elsewhere: it has no page here.`)
  return storePage(database, clinic, { id, content: row.content, now })
}

interface Page {
  id: string
  content: AccountingDocument
  now: Date
}

/** Of several that print at once the first stores its page, and the others answer with that. */
async function storePage(database: Database, clinic: Clinic, { id, content, now }: Page): Promise<StoredFile> {
  const bytes = await renderDocument(content)
  return database.write(clinic, async (tx) => {
    const { clinic_id } = clinic
    const { rows: locked } = await tx.query<{ file_id: string | null }>(
      sql`select d.file_id from payment_document d where ${isDocument(clinic, id)} for update`,
    )
    if (typeof locked[0]?.file_id === 'string') {
      const { rows } = await tx.query<StoredFileColumns>(
        sql`select ${storedFileColumns} from file where clinic_id = ${clinic_id} and id = ${locked[0].file_id}`,
      )
      const [row] = rows
      const printed = row === undefined ? null : renderStoredFile(row)
      if (printed !== null) return printed
    }
    const page = { content_type: 'application/pdf', file_name: `${content.type}-${content.number}.pdf` }
    const stored = await storeFile(tx, clinic_id, now, { ...page, content: [bytes] })
    await tx.query(sql`update payment_document set file_id = ${stored.file_id} where clinic_id = ${clinic_id} and id = ${id}`)
    return { ...page, ...stored }
  })
}

function isDocument({ clinic_id }: Clinic, id: string): Statement {
  return sql`d.clinic_id = ${clinic_id} and d.id = ${id}`
}
