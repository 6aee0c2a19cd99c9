// Patients pay; now and then a payment is cancelled or given back.
import { methodTypes } from '@clinic-data/contract/resources/payment'
import type { AnyRecord, LivingClinic } from '../living-clinic.ts'
import type { Action } from './action.ts'

const PATH = '/payments'
const REFUNDS = '/refunds'

async function pay(clinic: LivingClinic): Promise<boolean> {
  const { random, catalog } = clinic
  const payment = {
    id: clinic.newId('y'),
    patient_id: random.pick(clinic.people).id,
    billing_account_id: random.pick(catalog.billing_accounts),
    // Whole: some currencies have no decimals.
    amount: random.whole(50, 2_000),
    currency: catalog.currency,
    method_type: random.pick(methodTypes),
    is_refund: false,
    status: 'recorded',
    paid_at: clinic.instant(),
  }
  await clinic.tell(PATH, payment, 'payment.recorded')
  return true
}

/** A recorded payment that was not refunded. */
function whole(clinic: LivingClinic): AnyRecord | undefined {
  const refunded = new Set(
    clinic
      .sentTo(REFUNDS)
      .all()
      .map(({ refunded_payment_id }) => refunded_payment_id),
  )
  return clinic.sentTo(PATH).pick(clinic.random, ({ id, status }) => status === 'recorded' && !refunded.has(id))
}

async function cancel(clinic: LivingClinic): Promise<boolean> {
  const payment = whole(clinic)
  if (payment === undefined) return false
  await clinic.ingest.send('/payments/cancel', { id: payment.id })
  clinic.sentTo(PATH).keep(payment.id, { ...payment, status: 'cancelled' })
  clinic.expect('payment.cancelled')
  return true
}

async function refund(clinic: LivingClinic): Promise<boolean> {
  const payment = whole(clinic)
  if (payment === undefined) return false
  const amount = clinic.random.chance(0.5) ? payment.amount : Math.ceil(payment.amount / 2)
  const refund = { id: clinic.newId('r'), refunded_payment_id: payment.id, amount, paid_at: clinic.instant() }
  await clinic.tell(REFUNDS, refund, 'payment.cancelled')
  return true
}

export const paymentActions: readonly Action[] = [
  { name: 'a patient pays', weight: 2, run: pay },
  { name: 'a payment is cancelled', weight: 0.3, run: cancel },
  { name: 'a payment is refunded', weight: 0.3, run: refund },
]
