// Who sends is told of a change whose deliveries are due, and of no other: most clinics subscribe to few types, or to none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { deliveriesOf, webhookGround } from '@clinic-data/testing/grounds/webhook-ground'

const { owner, backend, newClinic, subscribe, due } = await webhookGround()

async function payingClinic(): Promise<Clinic> {
  const clinic = await newClinic()
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa' })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  return clinic
}

async function pay(clinic: Clinic): Promise<void> {
  due.length = 0
  await ask(backend, clinic, 'payments.create', { params: { id: 'p1' }, body: { amount: 10, method_type: 'cash' } })
}

test('who sends is told of a change that a subscription wants', async () => {
  const clinic = await payingClinic()
  await subscribe(clinic, ['payment.recorded'])
  await pay(clinic)
  assert.deepEqual(due, [clinic.clinic_id])
  assert.equal((await deliveriesOf(owner, clinic)).length, 1)
})

test('who sends is told nothing of a change that no subscription wants', async () => {
  const clinic = await payingClinic()
  await pay(clinic)
  assert.deepEqual(due, [], 'without subscriptions')
  await subscribe(clinic, ['patient.created'])
  await pay(clinic)
  assert.deepEqual(due, [], 'with one of another type')
})
