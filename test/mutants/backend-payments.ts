// Mutants of the backend: payments, refunds and accounting documents.
import type { Mutant } from './mutant.ts'

const BY_PAGES = 'packages/backend/test/payments-documents.test.ts'
const READ_OF =
  'whoever reads a page has read of the patient whom it names, however often its payment was corrected to another'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a payment is not recorded in the future',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: 'Date.parse(body.paid_at) > now.getTime()',
    to: 'Date.parse(body.paid_at) > now.getTime() + 60_000',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'another currency than the clinic’s and a future time are refused, each by name',
    },
  },
  {
    breaks: 'a payment is in the clinic’s currency',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: 'body.currency !== undefined && body.currency !== clinic.currency',
    to: 'body.currency === undefined',
    caught: { by: 'packages/backend/test/payments-create.test.ts', test: 'an external_id is one clinic’s own' },
  },
  {
    breaks: 'a billing account must be named where there are several',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: 'order by account.id limit 2`',
    to: 'order by account.id limit 1`',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'a billing account must be named where there are several, and must be one of the clinic’s',
    },
  },
  {
    breaks: 'a repeated external_id with another amount is refused',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: '    data.amount === body.amount &&\n',
    to: '',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'an external_id with different content is refused, for a difference in any field',
    },
  },
  {
    breaks: 'a repeated external_id for another patient is refused',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: '    data.patient?.id === patient_id &&\n',
    to: '',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'an external_id with different content is refused, for a difference in any field',
    },
  },
  {
    breaks: 'a repeated external_id with another account is refused',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: '    stored.billing_account_id === (body.billing_account_id ?? stored.billing_account_id) &&\n',
    to: '',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'an external_id with another billing account or currency is refused',
    },
  },
  {
    breaks: 'an unknown patient is told before any rule is checked',
    file: 'packages/backend/src/operations/record-payment.ts',
    from: "if (first === undefined) throw notFound('patient', patient_id)\n  if (first.recorded_id !== null) return replay(tx, requested, first.recorded_id, first.is_erased)\n  const account = requireAccount(requested, accounts)",
    to: "const account = requireAccount(requested, accounts)\n  if (first === undefined) throw notFound('patient', patient_id)\n  if (first.recorded_id !== null) return replay(tx, requested, first.recorded_id, first.is_erased)",
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'a payment of an unknown patient is not found, before any rule is checked',
    },
  },
  {
    breaks: 'an amount is stored to the cent',
    file: 'packages/records/src/resources/money.ts',
    from: 'Math.round(major * 1000)',
    to: 'Math.trunc(major * 1000)',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'amounts arrive exactly, however a float would print them',
    },
  },
  {
    breaks: 'a payment that was given back whole is refunded',
    file: 'packages/records/src/resources/payment.ts',
    from: 'refunded_thousandths < amount_thousandths ?',
    to: 'refunded_thousandths <= amount_thousandths ?',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'a fully refunded payment is refunded, and a cancelled refund no longer counts and raises updated_at',
    },
  },
  {
    breaks: 'a cancelled refund no longer counts',
    file: 'packages/records/src/resources/payment.ts',
    from: " and is_refund and status = 'recorded') refund",
    to: ' and is_refund) refund',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'a fully refunded payment is refunded, and a cancelled refund no longer counts and raises updated_at',
    },
  },
  {
    breaks: 'refunds come in the order of their times',
    file: 'packages/records/src/resources/payment.ts',
    from: 'over (order by paid_sort, id)',
    to: 'over (order by id)',
    caught: {
      by: 'packages/backend/test/payments.test.ts',
      test: 'the refunds of a payment come in the order in which they were paid',
    },
  },
  {
    breaks: 'the numbers of receipts begin behind the highest of another system',
    file: 'packages/changes/src/issue-documents.ts',
    from: 'set last_number = greatest(counter.last_number + ${series.length}::bigint, excluded.last_number)',
    to: 'set last_number = counter.last_number + ${series.length}::bigint',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'numbers continue after the highest one from another system, separately for each account and type',
    },
  },
  {
    breaks: 'each type of document has numbers of its own',
    file: 'packages/changes/src/issue-documents.ts',
    from: ' and stored.type = ${type}\n',
    to: '\n',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'numbers continue after the highest one from another system, separately for each account and type',
    },
  },
  {
    breaks: 'the documents of a batch have numbers without gaps',
    file: 'packages/changes/src/issue-documents.ts',
    from: 'const first = last() - series.length + 1',
    to: 'const first = last() - series.length + 2',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'credit invoices of a batch are numbered without gaps, each account separately',
    },
  },
  {
    breaks: 'a number that another system took meanwhile is skipped',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: "const UNIQUE_VIOLATION = '23505'",
    to: "const UNIQUE_VIOLATION = '23506'",
    caught: { by: 'packages/backend/test/payments-create.test.ts' },
  },
  {
    breaks: 'a document says the time of its issue in whole seconds of the clinic’s zone',
    file: 'packages/changes/src/issue-documents.ts',
    from: 'zonedInstant(new Date(now.getTime() - now.getMilliseconds()), clinic.time_zone, 0)',
    to: "zonedInstant(new Date(now.getTime() - now.getMilliseconds()), 'UTC', 0)",
    caught: {
      by: 'packages/backend/test/payments-documents.test.ts',
      test: 'a report of a payment with a document of the same id leaves the document as it was issued',
    },
  },
  {
    breaks: 'a credit invoice is printed in the language of its clinic',
    file: 'packages/changes/src/issue-documents.ts',
    from: "clinic.country === 'IL' ? 'he' : 'en'",
    to: "clinic.currency === 'USD' ? 'en' : 'he'",
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'a document is in Hebrew where the clinic is in Israel, and else in English, whatever its currency',
    },
  },
  {
    breaks: 'refunds never exceed the payment, with earlier ones',
    file: 'packages/changes/src/refunds.ts',
    from: '<= original.amount_thousandths - givenBack)',
    to: '<= original.amount_thousandths)',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'refunds never exceed the payment, with earlier ones, within a batch and many at once',
    },
  },
  {
    breaks: 'refunds of one payment wait for each other',
    file: 'packages/changes/src/refunds.ts',
    from: 'order by y.id for update of y`',
    to: 'order by y.id`',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'refunds never exceed the payment, with earlier ones, within a batch and many at once',
    },
  },
  {
    breaks: 'refunds of one batch share what is left of their payment',
    file: 'packages/changes/src/refunds.ts',
    from: '    known.set(refund.id, { ...payment, amount_thousandths: thousandthsOf(payment.amount) })\n',
    to: '',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'an impossible refund is refused with all rows of its batch',
    },
  },
  {
    breaks: 'a refund of a payment that has no document from here issues none',
    file: 'packages/changes/src/refunds.ts',
    from: 'if (issuer_id === null) return null',
    to: 'if (original.billing_account_id === null) return null',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'a refund of a payment without a document that was issued here issues none',
    },
  },
  {
    breaks: 'a reported refund is at most what is left of its payment',
    file: 'packages/changes/src/refused-refunds.ts',
    from: 'refund.amount_thousandths > original.amount_thousandths - sumOf(others)',
    to: 'refund.amount_thousandths > original.amount_thousandths',
    caught: {
      by: 'packages/backend/test/reported-refunds.test.ts',
      test: 'reported refunds never exceed the payment, with earlier ones, within a batch, from either door and many at once',
    },
  },
  {
    breaks: 'a reported refund is of its payment’s patient',
    file: 'packages/changes/src/refused-refunds.ts',
    from: 'if (refund.patient_id !== original.patient_id) {',
    to: 'if (refund.patient_id === null && original.patient_id !== null) {',
    caught: {
      by: 'packages/backend/test/reported-refunds.test.ts',
      test: 'a reported refund is of its payment’s patient and currency, and at most what is left of it',
    },
  },
  {
    breaks: 'refunds of one batch together are at most their payment',
    file: 'packages/changes/src/refused-refunds.ts',
    from: '    if (original && faults.length === 0) givenBack.set(original.id, [...others, one])\n',
    to: '',
    caught: {
      by: 'packages/backend/test/reported-refunds.test.ts',
      test: 'reported refunds never exceed the payment, with earlier ones, within a batch, from either door and many at once',
    },
  },
  {
    breaks: 'a payment is not corrected to less than was given back',
    file: 'packages/changes/src/refused-refunds.ts',
    from: ' && payment.amount_thousandths < sumOf(refunds)',
    to: ' && payment.amount_thousandths < 0',
    caught: {
      by: 'packages/backend/test/reported-refunds.test.ts',
      test: 'a payment is not corrected to less than what was given back of it, nor to another patient or currency',
    },
  },
  {
    breaks: 'the payment that a refund leaves is told',
    file: 'packages/changes/src/payments.ts',
    from: 'return [from, to, isTold ? record.id : null]',
    to: 'return [to, isTold ? record.id : null]',
    caught: {
      by: 'packages/backend/test/reported-refunds.test.ts',
      test: 'a refund that moves to another payment changes both, and both are told',
    },
  },
  {
    breaks: 'a page whose payment is corrected keeps whom it names',
    file: 'packages/records/src/payments.ts',
    from: 'and document.content is not null and document.named_patient_id is null',
    to: 'and document.content is not null',
    caught: { by: BY_PAGES, test: READ_OF },
  },
  {
    breaks: 'a link to a page is read of the patient whom the page names',
    file: 'packages/records/src/resources/patients-of-file.ts',
    from: 'unnest(array[payment.patient_id, document.named_patient_id])',
    to: 'unnest(array[payment.patient_id])',
    caught: { by: BY_PAGES, test: READ_OF },
  },
  {
    breaks: 'requests for one page at the same time share one printing',
    file: 'packages/documents/src/render-document.ts',
    from: 'underWay.set(content, rendered)',
    to: '',
    caught: { by: 'packages/documents/test/render-document.test.ts' },
  },
]
