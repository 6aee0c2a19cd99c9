// The client and a real service over a network that resets, delays and truncates answers. A payment is recorded exactly once, and
// a walk shows every row once.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { ClinicDataClient, ClinicDataError } from '@clinic-data/client'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { type Fault, type FaultProxy, faultProxy } from '@clinic-data/testing/receivers/fault-proxy'
import { sized } from '@clinic-data/testing/run/size'
import { emptyClinic, keyOf, startService, type TestService } from '@clinic-data/testing/run/test-service'
import fc from 'fast-check'

const PATIENTS = 60
/** Long enough for this service on the busiest machine. */
const TIMEOUT_MS = 60_000
/** A client that gives up often has it: short enough for a test. */
const SHORT_TIMEOUT_MS = 150

let service: TestService
let proxy: FaultProxy
let clinic: Clinic
let client: ClinicDataClient
let hasty: ClinicDataClient

before(async () => {
  service = await startService()
  proxy = await faultProxy(Number(new URL(await service.address()).port))
  clinic = await emptyClinic(service.owner)
  for (let i = 0; i < PATIENTS; i++) await insertPatient(service.owner, clinic, { id: `p${i}` }, [])
  await insert(service.owner, clinic, 'billing_account', { id: 'main' })
  const options = {
    apiKey: await keyOf(service.owner, clinic, allScopes),
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    // Waits only while the service is working.
    pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 30))),
  }
  client = new ClinicDataClient({ ...options, timeoutMs: TIMEOUT_MS })
  hasty = new ClinicDataClient({ ...options, timeoutMs: SHORT_TIMEOUT_MS })
  await client.me.get()
})
after(async () => {
  await proxy.close()
  await service.close()
})

/** Faults before the request arrives, after it was carried out, and with an answer that comes too late. */
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constant<Fault>({ kind: 'reset' }),
  fc.record({ kind: fc.constant('truncate' as const), bytes: fc.constantFrom(0, 20, 300) }),
  fc.constant<Fault>({ kind: 'delay', ms: SHORT_TIMEOUT_MS + 100 }),
  fc.constant<Fault>({ kind: 'garbage', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"data"' }),
  fc.constant<Fault>({ kind: 'none' }),
)

async function recorded(description: string): Promise<{ payments: number; documents: number }> {
  const { rows } = await service.owner.query<{ payments: string; documents: string }>(sql`
    select count(distinct p.id) as payments, count(distinct d.id) as documents from payment p
    left join payment_document d on d.clinic_id = p.clinic_id and d.payment_id = p.id
    where p.clinic_id = ${clinic.clinic_id} and p.description = ${description}`)
  return { payments: Number(rows[0]?.payments), documents: Number(rows[0]?.documents) }
}

test('a payment is recorded once over any faults of the network, and an answer means that it was recorded', async () => {
  let number = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 5 }), async (faults) => {
      const description = `payment ${++number}`
      proxy.once.push(...faults)
      const payment = await hasty.payments
        .create('p1', { amount: 10, method_type: 'cash', description })
        .catch((error: unknown) => {
          assert.ok(error instanceof ClinicDataError, String(error))
          return null
        })
      proxy.once.length = 0
      // An arrived request may still be running when its client has given up.
      await client.me.get()
      const found = await recorded(description)
      assert.equal(found.documents, found.payments)
      assert.ok(payment === null ? found.payments <= 1 : found.payments === 1, `${found.payments} payments`)
    }),
    { numRuns: sized({ everyday: 8, long: 60 }) },
  )
})

test('a payment that failed for the client is found by the next call with the same key, not made again', async () => {
  const idempotencyKey = 'invoice-2041'
  const pay = () =>
    client.payments.create('p2', { amount: 25, method_type: 'cash', description: 'once' }, { idempotencyKey })
  proxy.fault = { kind: 'truncate', bytes: 0 }
  await assert.rejects(pay(), ClinicDataError)
  proxy.fault = { kind: 'none' }
  const { data } = await pay()
  assert.equal(data.amount, 25)
  assert.equal((await recorded('once')).payments, 1)
})

test('a walk over a network that breaks repeatedly shows each row once', async () => {
  const ids: string[] = []
  const faults: Fault[] = [{ kind: 'reset' }, { kind: 'truncate', bytes: 400 }, { kind: 'truncate', bytes: 0 }]
  for await (const { id } of client.patients.list({ limit: 9 })) {
    ids.push(id)
    const next = faults[ids.length % 7]
    if (next && ids.length % 9 === 5) proxy.once.push(next)
  }
  assert.equal(ids.length, PATIENTS)
  assert.equal(new Set(ids).size, PATIENTS)
})

test('following the feed through a network that breaks shows every event once', async () => {
  let { resume_cursor: cursor } = await client.events.list({ event_types: 'payment.recorded' })
  const made: string[] = []
  const met: string[] = []
  for (let i = 0; i < 12; i++) {
    const { data } = await client.payments.create('p3', { amount: 1, method_type: 'cash' })
    made.push(data.id)
    if (i % 3 === 0) proxy.once.push({ kind: i % 2 === 0 ? 'reset' : 'truncate', bytes: 250 })
    const page = await client.events.list({ event_types: 'payment.recorded', cursor, limit: 2 })
    met.push(...page.data.map((event) => event.data.id))
    cursor = page.resume_cursor
  }
  assert.deepEqual(met, made)
})
