// Issues accounting documents: gives each its number and stores its content, which never changes afterwards.
import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { sql, type Transaction } from '@clinic-data/database'
import type { AccountingDocument } from '@clinic-data/documents/accounting-document'
import { addDocuments, type IssuedRecord, PaymentDocumentRecord } from '@clinic-data/records/payments'
import { decimalsOf } from '@clinic-data/records/resources/money'
import type { PaymentRow } from '@clinic-data/records/resources/payment'
import { complete } from '@clinic-data/records/storing/complete-record'

/** A document before it has its number. */
export interface DocumentDraft
  extends Omit<
    AccountingDocument,
    'version' | 'number' | 'issued_at' | 'allocation_number' | 'language' | 'amount_minor' | 'decimals'
  > {
  /** Major units. */
  readonly amount: number
  readonly payment_id: string
  readonly billing_account_id: string
  /** Whom the page names: it is theirs, whatever they are called later. */
  readonly named_patient_id: string | null
}

/** As it is read with its payment. */
export type IssuedDocument = NonNullable<PaymentRow['documents']>[number]

/**
 * Call this as late in a transaction as possible: from the next statement until the commit, other documents of the same billing
 * account and type wait. They must: a number is either committed or free again, so that there are no gaps.
 *
 * @returns a function that issues the documents, once the next statement was awaited. They are stored with the one after it. Its
 * answer is the document of each payment, as everybody reads it.
 */
export function issueDocuments(
  tx: Transaction,
  clinic: Clinic,
  drafts: readonly DocumentDraft[],
  now: Date,
): () => Map<string, IssuedDocument> {
  const numbered = inSeries(drafts).map((series) => [series, takeNumbers(tx, clinic, series)] as const)
  return () => {
    const issued = numbered.flatMap(([series, last]) => {
      const first = last() - series.length + 1
      return series.map((draft, at) => recordOf(clinic, draft, first + at, now))
    })
    addDocuments(tx, clinic, issued)
    return documentsOf(issued)
  }
}

function documentsOf(issued: readonly IssuedRecord[]): Map<string, IssuedDocument> {
  return new Map(
    issued.map(({ payment_id, id, type, number, issued_at, allocation_number }) => [
      payment_id,
      { id, type, number: String(number), issued_at, allocation_number },
    ]),
  )
}

type Series = readonly [DocumentDraft, ...DocumentDraft[]]

/** One entry per billing account and type, always in the same order, to prevent deadlocks. */
function inSeries(drafts: readonly DocumentDraft[]): Series[] {
  const byName = Map.groupBy(drafts, ({ billing_account_id, type }) => `${billing_account_id} ${type}`)
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => (first === undefined ? [] : [[first, ...others]]))
}

/**
 * Takes as many numbers as there are drafts, with the next statement. They follow the highest number that is already stored, also
 * when documents from elsewhere were stored.
 *
 * @returns a function for the last number.
 */
function takeNumbers(tx: Transaction, { clinic_id }: Clinic, series: Series): () => number {
  const [{ billing_account_id, type }] = series
  // Selects from the account's row: Citus accepts no insert with a subquery among its values.
  const answer = tx.send<{ last_number: number }>(sql`
    insert into document_counter as counter (clinic_id, billing_account_id, type, last_number)
    select account.clinic_id, account.id, ${type}, ${series.length}::bigint + coalesce(
      (select stored.number from payment_document stored
        where stored.clinic_id = ${clinic_id} and stored.billing_account_id = account.id and stored.type = ${type}
        order by stored.number desc limit 1), 0)
    from billing_account account where account.clinic_id = ${clinic_id} and account.id = ${billing_account_id}
    on conflict (clinic_id, billing_account_id, type) do update
      set last_number = greatest(counter.last_number + ${series.length}::bigint, excluded.last_number)
    returning last_number`)
  return () => {
    const [row] = answer().rows
    if (row === undefined) throw new Error('there is no such billing account')
    return Number(row.last_number)
  }
}

function recordOf(clinic: Clinic, draft: DocumentDraft, number: number, now: Date): IssuedRecord {
  const { payment_id, billing_account_id, named_patient_id, amount, ...said } = draft
  const issued_at = zonedInstant(new Date(now.getTime() - now.getMilliseconds()), clinic.time_zone, 0)
  const language = clinic.country === 'IL' ? 'he' : 'en'
  const printed = { ...said, ...printedAmount(amount, said.currency) }
  const content: AccountingDocument = { ...printed, number, issued_at, allocation_number: null, language }
  const record = { id: newId('doc', now), payment_id, billing_account_id, type: said.type, number, issued_at }
  return { ...complete(PaymentDocumentRecord, record), payment_id, named_patient_id, content }
}

function printedAmount(
  amount: number,
  currency: string,
): Pick<AccountingDocument, 'version' | 'amount_minor' | 'decimals'> {
  const decimals = decimalsOf(currency)
  const amount_minor = Math.round(amount * 10 ** decimals)
  return decimals === 2 ? { version: 1, amount_minor } : { version: 2, amount_minor, decimals }
}
