// ExplanationOfBenefit → the payment of an insurer for a patient.

import { MAX } from '@clinic-data/contract'
import { checkPayment, PaymentRecord, storePayments } from '@clinic-data/records/payments'
import { majorUnits } from '@clinic-data/records/resources/money'
import { complete } from '@clinic-data/records/storing/complete-record'
import { addStored } from '../import-report.ts'
import { Skip } from '../skip.ts'
import { refuseUnfit } from './claims.ts'
import {
  type ImportContext,
  instantOf,
  knownIds,
  madeAt,
  mapped,
  namesIn,
  type Read,
  type ResourceImport,
} from './fhir-import.ts'
import type { ExplanationOfBenefit } from './fhir-r4.ts'
import { moneyIn } from './money.ts'

export const importBenefits: ResourceImport<ExplanationOfBenefit> = async (tx, context, resources, tally) => {
  const idsOf = ({ patient }: ExplanationOfBenefit) => [context.references.idOf(patient?.reference)]
  const patients = await knownIds(tx, context.clinic, 'patient', namesIn(resources, idsOf))
  const records = mapped(resources, (read) => paymentOf(context, patients, read), checkPayment, tally)
  addStored(tally, await storePayments(tx, context.clinic, records))
}

function paymentOf(
  context: ImportContext,
  patients: ReadonlySet<string>,
  { id, resource }: Read<ExplanationOfBenefit>,
): PaymentRecord {
  const { outcome, patient, created, insurer, payment } = resource
  const { clinic, references } = context
  refuseUnfit(resource)
  if (outcome === 'error' || outcome === 'queued') throw new Skip('has no outcome')
  const amount = moneyIn(payment?.amount, clinic.currency)
  if (amount === null || amount === 0) throw new Skip('nothing was paid')
  if (amount < 0) throw new Skip('has a negative amount')
  const patient_id = references.idOf(patient?.reference)
  if (patient_id === null || !patients.has(patient_id)) throw new Skip('is of a patient who is not known')
  const paid_at = instantOf(payment?.date) ?? instantOf(created)
  const created_at = madeAt(context, created, paid_at)
  return complete(PaymentRecord, {
    id,
    patient_id,
    amount: majorUnits(amount),
    currency: clinic.currency,
    // FHIR does not say how an insurer pays.
    method_type: 'other',
    is_refund: false,
    status: 'recorded',
    description:
      insurer?.display === undefined
        ? null
        : Array.from(`Insurance: ${insurer.display}`).slice(0, MAX.description).join(''),
    paid_at,
    created_at,
    updated_at: context.storedAt(),
  })
}
