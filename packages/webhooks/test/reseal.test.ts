// After a rotation of the secret keys, every secret of a subscription opens without the former key, also those that sign for a day.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { sql, utcSession } from '@clinic-data/database'
import { newClinic } from '@clinic-data/testing/grounds/ground'
import { keys, ownGround, secretKeysText, subscribeSigned } from '@clinic-data/testing/run/own-ground'
import { resealSecrets, sealingKeys } from '../src/subscriptions/reseal.ts'
import { type FormerSecret, rotateSecret } from '../src/subscriptions/rotate-secret.ts'
import { openSecret } from '../src/subscriptions/sealed-secret.ts'

const base = await ownGround()
const added = `b:${randomBytes(32).toString('base64')}`
const rotated = signingKeys(parseSecretKeys(`${added},${secretKeysText}`), 'webhook-secret')
const alone = signingKeys(parseSecretKeys(added), 'webhook-secret')

test('present and former secrets are sealed with the current key, once, and stay the same', async () => {
  const [clinic, other] = [await newClinic(base), await newClinic(base)]
  const { clinic_id } = clinic
  const former = await subscribeSigned(base, clinic, 'w1', 'https://w1.example')
  const untouched = await subscribeSigned(base, other, 'w1', 'https://w1.example')
  const { secret } = await base.app.write(clinic, (tx) => rotateSecret(tx, clinic, keys, 'w1', new Date()))
  assert.deepEqual(await sealingKeys(base.owner, utcSession(clinic_id)), ['t', 't'])
  assert.equal(await resealSecrets(base.app, clinic, rotated), 1)
  assert.deepEqual(await sealingKeys(base.owner, utcSession(clinic_id)), ['b', 'b'])
  const stored = async (of: string) => {
    const [row] = await base.owner.read<{ secret: Uint8Array; former_secrets: FormerSecret[] }>(
      utcSession(of),
      sql`select secret, former_secrets from subscription where clinic_id = ${of}`,
    )
    assert.ok(row)
    return row
  }
  const row = await stored(clinic_id)
  const owner = { clinic_id, subscription_id: 'w1' }
  assert.equal(openSecret(alone, owner, row.secret), secret)
  assert.deepEqual(
    row.former_secrets.map(({ sealed }) => openSecret(alone, owner, Buffer.from(sealed, 'base64'))),
    [former],
  )
  assert.equal(await resealSecrets(base.app, clinic, rotated), 0)
  assert.deepEqual(await stored(clinic_id), row)
  const elsewhere = { clinic_id: other.clinic_id, subscription_id: 'w1' }
  assert.equal(openSecret(keys, elsewhere, (await stored(other.clinic_id)).secret), untouched)
})

test('a former secret alone asks for resealing: the present one was made after the keys were rotated', async () => {
  const clinic = await newClinic(base)
  const { clinic_id } = clinic
  await subscribeSigned(base, clinic, 'w1', 'https://w1.example')
  await base.app.write(clinic, (tx) => rotateSecret(tx, clinic, rotated, 'w1', new Date()))
  assert.deepEqual(await sealingKeys(base.owner, utcSession(clinic_id)), ['b', 't'])
  assert.equal(await resealSecrets(base.app, clinic, rotated), 1)
  assert.deepEqual(await sealingKeys(base.owner, utcSession(clinic_id)), ['b', 'b'])
})

test('a secret whose key is gone stays as it is, and the failure is told', async () => {
  const clinic = await newClinic(base)
  await subscribeSigned(base, clinic, 'w1', 'https://w1.example')
  await assert.rejects(resealSecrets(base.app, clinic, alone), /sealed with a key that SECRET_KEYS does not list/)
  assert.deepEqual(await sealingKeys(base.owner, utcSession(clinic.clinic_id)), ['t'])
})
