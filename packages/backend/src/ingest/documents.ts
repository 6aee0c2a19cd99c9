// The pages of accounting documents: a link that anyone who has it may open, for a while.
import { type FileReference, one } from '@clinic-data/contract'
import { signFileLink } from '@clinic-data/contract/file-link'
import { FileLink } from '@clinic-data/contract/resources/file-link'
import { exampleOf, Id, strictObject } from '@clinic-data/contract/schema'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { documentFile } from '@clinic-data/documents/document-file'
import type { PlainOperation } from './ingest-operation.ts'

export const documentOperations: readonly PlainOperation[] = [
  {
    id: 'documents.link',
    method: 'GET',
    path: '/documents/{id}/link',
    tag: 'Payments',
    summary: 'Get a link to the page of a document',
    description:
      'Answers a link to the PDF of a document that was issued here, on the public address of the API. The link needs no key. It is valid for 15 minutes, or until the token that asked for it is revoked. 404 for a document that was issued elsewhere.',
    params: strictObject({ id: Id }),
    output: one(FileLink),
    example: {
      answer: {
        data: {
          ...exampleOf(FileLink),
          content_type: 'application/pdf',
          file_name: 'tax_invoice_receipt-20417.pdf',
        },
      },
    },
    run: async ({ database, now, baseUrl, fileLinkKeys, principal: { clinic, token_id }, params: { id = '' } }) => {
      const at = now()
      const { patient_ids, file } = await documentFile(database, clinic, id, at)
      const { file_id, ...described } = file
      const reference: FileReference = { clinic_id: clinic.clinic_id, key_id: token_id, file_id }
      const { url, expires_at } = signFileLink(fileLinkKeys, baseUrl, reference, at.getTime())
      const link = { url, expires_at: zonedInstant(new Date(expires_at), clinic.time_zone, 0), ...described }
      return { data: link, ids: [id], patient_ids }
    },
  },
]
