// Takes other people out of a resource: a row of one person may name another one's payment, appointment, or the other patients of a phone.
import type { Person } from './person.ts'

interface Shown {
  readonly id: string
}

/** The other patients with the phone of a call or a chat are left out. */
export function onlyThem<R extends { patients: readonly Shown[] }>({ patient_id }: Person, resource: R): R {
  return { ...resource, patients: resource.patients.filter(({ id }) => id === patient_id) }
}

/** A refund may give back what another patient had paid. */
export function onlyTheirPayments<R extends { refunded_payment_id: string | null; refunds: readonly Shown[] }>(
  { payments }: Person,
  payment: R,
): R {
  const { refunded_payment_id: id, refunds } = payment
  const refunded_payment_id = id !== null && payments.has(id) ? id : null
  return { ...payment, refunded_payment_id, refunds: refunds.filter((refund) => payments.has(refund.id)) }
}

/** A treatment may have been recorded at the appointment of another patient. */
export function onlyTheirAppointment<R extends { appointment: Shown | null }>(
  { appointments }: Person,
  treatment: R,
): R {
  const { appointment } = treatment
  return { ...treatment, appointment: appointment !== null && appointments.has(appointment.id) ? appointment : null }
}
