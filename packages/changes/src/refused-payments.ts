// Refuses reported payments that use the names or numbers of others, or that do not fit the clinic or their payment.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import type { PaymentDocumentRecord, PaymentRecord } from '@clinic-data/records/payments'
import { formsOfExternalId } from '@clinic-data/records/resources/hidden-text'
import { type Counted, refundFaults } from './refused-refunds.ts'
import { type RefusedRow, RefusedRows } from './writing/refused-rows.ts'

/**
 * @param before the stored rows of the records and of the payments that they name, locked.
 * @throws RefusedRows when the `external_id` or a document's number is another payment's, the currency is wrong, or a refund does
 * not fit its payment.
 */
export async function refusePayments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PaymentRecord[],
  before: ReadonlyMap<string, Counted>,
): Promise<void> {
  const refused = [
    ...(await takenExternalIds(tx, clinic, records)),
    ...(await takenNumbers(tx, clinic, records)),
    ...(await refundFaults(tx, clinic, records, before)),
  ]
  if (refused.length > 0) throw new RefusedRows(refused.sort((a, b) => a.index - b.index))
}

async function takenExternalIds(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PaymentRecord[],
): Promise<RefusedRow[]> {
  const named = records.flatMap(({ external_id }) => external_id ?? [])
  if (named.length === 0) return []
  const forms = new Map(named.flatMap((name) => formsOfExternalId(clinic, name).map((form) => [form, name])))
  const { rows } = await tx.query<{ id: string; external_id: string }>(sql`select id, external_id from payment
    where clinic_id = ${clinic.clinic_id} and external_id = any(${[...forms.keys()]}::text[])`)
  const holders = new Map(rows.map(({ id, external_id }) => [forms.get(external_id) ?? external_id, id]))
  return records.flatMap(({ id, external_id }, index) => {
    if (external_id === null || claims(holders, external_id, id)) return []
    return { index, place: '/external_id', code: 'taken', detail: 'must be new: another payment has it' }
  })
}

async function takenNumbers(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly PaymentRecord[],
): Promise<RefusedRow[]> {
  const documents = records.flatMap((record) => record.documents)
  if (documents.length === 0) return []
  const { rows } = await tx.query<Numbered>(sql`
    select stored.id, stored.billing_account_id, stored.type, stored.number
    from payment_document stored join ${sql.input(documents, { text: ['billing_account_id', 'type'], bigint: ['number'] })}
      on stored.billing_account_id = input.billing_account_id and stored.type = input.type and stored.number = input.number
    where stored.clinic_id = ${clinic_id}`)
  const holders = new Map(rows.map((row) => [numberName(row), row.id]))
  const detail = 'must be new for its billing account and type: another document has it'
  return records.flatMap((record, index) =>
    record.documents.flatMap((document, at) =>
      claims(holders, numberName(document), document.id)
        ? []
        : { index, place: `/documents/${at}/number`, code: 'taken', detail },
    ),
  )
}

type Numbered = Pick<PaymentDocumentRecord, 'id' | 'billing_account_id' | 'type' | 'number'>

function numberName({ billing_account_id, type, number }: Numbered): string {
  return `${billing_account_id} ${type} ${number}`
}

/** Whether a name is free for this id. It is then taken, also for later rows of the same batch. */
function claims(holders: Map<string, string>, name: string, id: string): boolean {
  const holder = holders.get(name)
  if (holder === undefined) holders.set(name, id)
  return holder === undefined || holder === id
}
