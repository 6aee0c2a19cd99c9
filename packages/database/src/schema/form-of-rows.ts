// A form of rows that earlier versions cannot read, though the tables are the same. Its name stands before the checksum of a migration that
// every version knows: an earlier one finds that migration changed and refuses to start, or to restore a backup.
import type { Transaction } from '../connections/transaction.ts'
import { sql } from '../sql.ts'

/** The forms that this version reads. */
const KNOWN: readonly string[] = ['audit-segments']

export type FormOfRows = 'audit-segments'

/** Every version knows this migration. */
const MARKED = '0007_audit'

/** Call it in the transaction that writes the first rows of this form. */
export async function markForm(tx: Transaction, form: FormOfRows): Promise<void> {
  await tx.query(sql`update schema_migration set checksum = ${`${form}:`} || checksum
    where id = ${MARKED} and checksum not like ${`%${form}:%`}`)
}

/**
 * The checksum of a migration as it was applied.
 *
 * @throws Error when rows have a form that this version does not know.
 */
export function checksumOf(recorded: string): string {
  const [checksum = '', ...forms] = recorded.split(':').reverse()
  const unknown = forms.find((form) => !KNOWN.includes(form))
  if (unknown !== undefined)
    throw new Error(
      `the database holds rows in a form that this version cannot read (${unknown}): start the later version`,
    )
  return checksum
}
