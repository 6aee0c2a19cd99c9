// A database of a test file's own, for engines that look over all clinics: no other file's deliveries are in it.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { migrations, tables } from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { openDatabase, sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/migrate'
import { sealSecret } from '../src/sealed-secret.ts'
import type { Ground } from './ground.ts'

export interface OwnGround extends Ground {
  readonly url: string
}

/** Dropped after the tests of the file. */
export async function ownGround(): Promise<OwnGround> {
  const given = process.env.TEST_DATABASE_URL
  if (!given) throw new Error('run the tests with npm test: it starts the database')
  const name = `webhooks_${randomBytes(6).toString('hex')}`
  const server = await openDatabase({ url: given, statementTimeoutMs: 0, writeConnections: 1 })
  await server.query(sql`create database ${sql.identifier(name)}`)
  const url = new URL(given)
  url.pathname = `/${name}`
  const owner = await openDatabase({ url: url.href, statementTimeoutMs: 0, writeConnections: 2 })
  await migrate(owner, migrations, { tables, log: () => undefined })
  const app = await openDatabase({ url: url.href, role: 'clinic_data_app' })
  after(async () => {
    await app.close()
    await owner.close()
    await server.query(sql`drop database ${sql.identifier(name)} with (force)`)
    await server.close()
  })
  return { url: url.href, owner, app }
}

/** `SECRET_KEYS` of an installation that nobody else has. */
export const secretKeysText = `t:${randomBytes(32).toString('base64')}`
export const keys = signingKeys(parseSecretKeys(secretKeysText), 'webhook-secret')

/** A subscription to everything, with a secret that opens. @returns the secret. */
export async function subscribeSigned(
  { owner }: Ground,
  { clinic_id }: Clinic,
  id: string,
  url: string,
): Promise<string> {
  const secret = newWebhookSecret()
  const sealed = sealSecret(keys, { clinic_id, subscription_id: id }, secret)
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    values (${clinic_id}, ${id}, ${url}, '{}', ${sealed}, ${secret.slice(-4)}, now())`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id})`)
  return secret
}
