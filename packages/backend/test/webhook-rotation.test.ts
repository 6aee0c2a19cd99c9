// Rotating the secret of a subscription: the new one is shown once, the former one signs for a day beside it and is then erased.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordDeliveries } from '@clinic-data/audit/delivery-rows'
import type { Clinic } from '@clinic-data/contract'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import {
  isWebhookSecret,
  maskedSecret,
  serviceSignature,
  standardSignature,
} from '@clinic-data/contract/webhook-signature'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { newSecretKeys, URL_OF_RECEIVER, webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import type { TargetClient } from '@clinic-data/webhooks/receiver/target-client'
import { eraseFormerSecrets } from '@clinic-data/webhooks/subscriptions/rotate-secret'
import { WebhookEngine } from '@clinic-data/webhooks/webhook-engine'

const ground = await webhookGround()
const { owner, app, newClinic, happen, at } = ground
const secretKeys = newSecretKeys()
const backend = ground.with({ secretKeys })

async function subscribed() {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const { data } = await ask(backend, clinic, 'webhooks.create', { body: { url: URL_OF_RECEIVER } })
  return { clinic, id: data.id, secret: data.secret }
}

const rotate = async (clinic: Clinic, id: string) =>
  (await ask(backend, clinic, 'webhooks.secret.rotate', { params: { id } })).data

async function storedFormer({ clinic_id }: Clinic): Promise<{ sealed: string }[]> {
  const { rows } = await owner.query<{ former_secrets: { sealed: string }[] }>(sql`
    select former_secrets from subscription where clinic_id = ${clinic_id}`)
  return rows[0]?.former_secrets ?? assert.fail()
}

/** Sends an event of the clinic as the engine does. @returns the secrets of its signatures, as positions in `secrets`. */
async function signersOf(clinic: Clinic, secrets: readonly string[]) {
  const posted = Promise.withResolvers<{ headers: Record<string, string>; body: string }>()
  const client = {
    post: async (request: { headers: Record<string, string>; body: string }) => {
      posted.resolve(request)
      return { response_status: 204, error: null, duration_ms: 1, retry_after: null }
    },
    close: async () => undefined,
  }
  const engine = new WebhookEngine({
    database: app,
    log: failingLog,
    now: ground.now,
    keys: signingKeys(secretKeys, 'webhook-secret'),
    client: client as unknown as TargetClient,
    record: recordDeliveries(app),
  })
  await happen(clinic, 'call.completed')
  engine.wake(clinic.clinic_id)
  const { headers, body } = await posted.promise
  await engine.stop()
  const message = { id: headers['webhook-id'] ?? '', timestamp: headers['webhook-timestamp'] ?? '', body }
  const standard = secrets.map((secret) => standardSignature(secret, message))
  return {
    standard: headers['webhook-signature']?.split(' ').map((signature) => standard.indexOf(signature)),
    service: secrets.findIndex((secret) => serviceSignature(secret, body) === headers['X-Service-Signature']),
  }
}

test('a rotation answers the new secret, once, and nothing else of the subscription changes', async () => {
  const { clinic, id, secret } = await subscribed()
  const params = { params: { id } }
  const before = (await ask(backend, clinic, 'webhooks.get', params)).data
  const rotated = await rotate(clinic, id)
  assert.ok(isWebhookSecret(rotated.secret))
  assert.notEqual(rotated.secret, secret)
  assert.deepEqual({ ...rotated, secret: before.secret }, before)
  assert.equal((await ask(backend, clinic, 'webhooks.get', params)).data.secret, maskedSecret(rotated.secret))
  const { rows } = await owner.query<{ row: string }>(sql`
    select s::text as row from subscription s where clinic_id = ${clinic.clinic_id}`)
  for (const shown of [secret, rotated.secret]) {
    const bytes = Buffer.from(shown.slice('whsec_'.length), 'base64')
    for (const form of [shown.slice('whsec_'.length, -4), bytes.toString('hex'), Buffer.from(shown).toString('base64')])
      assert.ok(!rows[0]?.row.includes(form))
  }
})

test('each secret signs for a day after it was replaced, and X-Service-Signature is of the oldest of them', async () => {
  const { clinic, id, secret } = await subscribed()
  const secrets = [secret]
  assert.deepEqual(await signersOf(clinic, secrets), { standard: [0], service: 0 })
  secrets.push((await rotate(clinic, id)).secret)
  assert.deepEqual(await signersOf(clinic, secrets), { standard: [1, 0], service: 0 })
  at('2026-07-12T07:30:00Z')
  secrets.push((await rotate(clinic, id)).secret)
  assert.deepEqual(await signersOf(clinic, secrets), { standard: [2, 1, 0], service: 0 })
  at('2026-07-13T06:29:59.999Z')
  assert.deepEqual(await signersOf(clinic, secrets), { standard: [2, 1, 0], service: 0 })
  at('2026-07-13T06:30:00Z')
  assert.deepEqual(await signersOf(clinic, secrets), { standard: [2, 1], service: 1 })
  at('2026-07-13T07:30:00Z')
  assert.deepEqual(await signersOf(clinic, secrets), { standard: [2], service: 2 })
})

test('a former secret is erased when it no longer signs, not before', async () => {
  const { clinic, id } = await subscribed()
  const erase = () => app.write(clinic, (tx) => eraseFormerSecrets(tx, clinic, ground.now()))
  await rotate(clinic, id)
  at('2026-07-12T07:30:00Z')
  await rotate(clinic, id)
  const [later] = await storedFormer(clinic)
  for (const [time, left] of [
    ['2026-07-13T06:29:59.999Z', 2],
    ['2026-07-13T06:30:00Z', 1],
    ['2026-07-13T07:30:00Z', 0],
  ] as const) {
    at(time)
    await erase()
    const former = await storedFormer(clinic)
    assert.equal(former.length, left)
    if (left === 1) assert.deepEqual(former, [later])
  }
})

test('a secret is rotated four times within a day, and again when the first of them is a day old', async () => {
  const { clinic, id } = await subscribed()
  for (let n = 0; n < 4; n++) await rotate(clinic, id)
  await assert.rejects(rotate(clinic, id), problem('conflict', /4 times/))
  at('2026-07-13T06:30:00Z')
  await rotate(clinic, id)
  assert.equal((await storedFormer(clinic)).length, 1)
})

test('the secret of a paused subscription is replaced at once, however often: none before it signs', async () => {
  const { clinic, id, secret } = await subscribed()
  const enable = (enabled: boolean) => ask(backend, clinic, 'webhooks.update', { params: { id }, body: { enabled } })
  const secrets = [secret, (await rotate(clinic, id)).secret]
  await enable(false)
  for (let n = 0; n < 5; n++) secrets.push((await rotate(clinic, id)).secret)
  await enable(true)
  assert.deepEqual(await signersOf(clinic, secrets), { standard: [6], service: 6 })
})

test("no secret of a disabled subscription, an unknown one or another clinic's is rotated", async () => {
  const { clinic, id } = await subscribed()
  await assert.rejects(rotate(await newClinic(), id), problem('not-found'))
  await assert.rejects(rotate(clinic, 'wh_none'), problem('not-found'))
  await owner.query(sql`update subscription set enabled = false where clinic_id = ${clinic.clinic_id}`)
  await assert.rejects(rotate(clinic, id), problem('conflict', /disabled/))
})
