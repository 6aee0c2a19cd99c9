// Finds a clinic's message template by its name and language.
import type { Clinic } from '@clinic-data/contract'
import type { ChatTemplate } from '@clinic-data/contract/resources/chat'
import type { Static } from '@clinic-data/contract/schema'
import { sql, type Transaction } from '@clinic-data/database'

export interface TemplateName {
  name: string
  language: string
}

export type StoredTemplate = Pick<Static<typeof ChatTemplate>, 'name' | 'language' | 'category' | 'status' | 'body'> & {
  header_type: string | null
  header_text: string | null
}

export async function findTemplate(
  tx: Transaction,
  { clinic_id }: Clinic,
  { name, language }: TemplateName,
): Promise<StoredTemplate | null> {
  const { rows } = await tx.query<StoredTemplate>(sql`
    select name, language, category, status, header_type, header_text, body from chat_template
    where clinic_id = ${clinic_id} and name = ${name} and language = ${language}`)
  return rows[0] ?? null
}

/** Whether the header needs a file. Such templates cannot be sent, because no operation provides the file. */
export function hasMedia({ header_type }: StoredTemplate): boolean {
  return header_type !== null && header_type !== 'text'
}
