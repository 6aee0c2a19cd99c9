// The console's login may do all that integrations need: make them, move what belongs to them, stop them and undo that, and show them.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import * as schema from '@clinic-data/backend/migrations'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import { happen } from '@clinic-data/testing/grounds/ground'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { testClinic } from '@clinic-data/testing/grounds/test-clinic'
import { ownGround } from '@clinic-data/testing/run/own-ground'

const ground = await ownGround(schema)
const { url, owner } = ground
const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
const skip =
  citus.length > 0 && 'on a cluster the console’s login adds no row among the keys, neither of an app nor of a program'

test('a service with its two logins makes, joins, stops, undoes and shows integrations', { skip }, async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const now = new Date()
  const { id } = await createAdministrator(owner, { clinic_id, email: 'noa@clinic.example', name: 'Noa Levi', now })
  const { token } = await makeSignInLink(owner, { clinic_id, id, now })
  const keys = newSecretKeys()
  const { login } = consoleLogin(url, { databaseConsoleUrl: null }, parseSecretKeys(keys))
  ground.opened.defer(async () => {
    await owner.query(sql`drop role ${sql.identifier(login.name)}`)
  })
  const service = await serveHere({ DATABASE_URL: url, SECRET_KEYS: keys })
  try {
    let cookie = ''
    const ask = async (path: string, body?: object) => {
      const hasBody = body !== undefined && Object.keys(body).length > 0
      const answer = await fetch(`${service.adminAddress}/console/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          origin: service.adminAddress,
          'x-console': '1',
          cookie,
          'idempotency-key': randomUUID(),
          ...(hasBody && { 'content-type': 'application/json' }),
        },
        ...(hasBody && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      assert.ok(answer.status < 300, `${path}: ${text}`)
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return JSON.parse(text).data
    }
    await ask('/sign-in/link', { token })
    // The version before has stored the key that each test's clinic has.
    const [old] = await ask('/integrations')
    const key = await ask('/keys', { name: 'CRM', scopes: ['webhooks:manage'], integration_id: old.id })
    await owner.query(sql`insert into subscription
        (clinic_id, id, url, event_types, secret, secret_last_characters, created_at, made_by)
      values (${clinic_id}, 'wh_1', 'https://app.example/hook', '{}', ${randomBytes(8)}, '', now(), ${key.id})`)
    await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, 'wh_1')`)
    const made = await ask('/integrations', { name: 'Agency' })
    await ask(`/integrations/${made.id}`, { contact: 'Dan' })
    await ask(`/integrations/${made.id}/join`, { ids: [key.id, 'key'] })
    await happen(ground, clinic, 2, new Date(Date.now() + 60_000))
    const stopped = await ask(`/integrations/${made.id}/stop`, {})
    assert.deepEqual([stopped.keys, stopped.webhooks, stopped.waiting], [2, 1, 2])
    const resumed = await ask(`/integrations/${made.id}/resume`, {})
    assert.deepEqual([resumed.keys, resumed.webhooks, resumed.waiting], [2, 1, 2])
    for (const path of [`/integrations/${made.id}`, '/home', `/keys/${key.id}`]) await ask(path)
    await ask(`/keys/${key.id}`, { name: 'CRM of 2027' })
  } finally {
    await service.stop()
  }
})
