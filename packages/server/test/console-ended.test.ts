// The contract's operations in the console: one whose body arrives after its administrator was disabled changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdministrator, disableAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import { type BackendOptions, createBackend } from '@clinic-data/backend'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { halfSent } from '@clinic-data/testing/half-sent'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import pino from 'pino'
import { adminListener } from '../src/private/admin-listener.ts'
import { openConsole } from '../src/private/console.ts'

const { owner, app: database } = await testDatabase()
const HOST = 'console.clinic.example'
const PAGE = { host: HOST, origin: `http://${HOST}`, 'x-console': '1', 'content-type': 'application/json' }

async function console() {
  const log = pino({ level: 'silent' })
  const secretKeys = parseSecretKeys(newSecretKeys())
  const baseUrl = 'https://api.clinic.example'
  const rate = { requests: 300, seconds: 60 }
  const config = {
    baseUrl,
    rate,
    openId: null,
    mail: null,
    trustedProxies: [],
    webhookAllowCidrs: [],
    consoleUrl: null,
    adminHost: '127.0.0.1',
    adminNames: [HOST],
  }
  const app = adminListener({ maxConnections: 100, trustedProxies: [], baseUrl, log })
  const backendWith = (further: Pick<BackendOptions, 'validOf'>) =>
    createBackend({ database, now: () => new Date(), log: failingLog, secretKeys, ...further })
  const routes = await openConsole(app, { config, log, database: owner, backendWith, secretKeys })
  await app.ready()
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close()
      await routes.close()
    },
  }
}

test('a webhook whose body arrived after its administrator was disabled is not made', async () => {
  await using opened = await console()
  const { clinic_id } = await testClinic(owner)
  const now = new Date()
  const { id } = await createAdministrator(owner, { clinic_id, email: 'noa@clinic.example', name: 'Noa', now })
  const { token } = await makeSignInLink(owner, { clinic_id, id, now })
  const signedIn = await opened.app.inject({
    method: 'POST',
    url: '/console/api/sign-in/link',
    headers: PAGE,
    payload: JSON.stringify({ token }),
  })
  const cookie = /^[^;]+/.exec(String(signedIn.headers['set-cookie']))?.[0] ?? ''
  const make = (name: string) =>
    halfSent(opened.app, {
      path: '/console/api/v1/webhooks',
      headers: { ...PAGE, cookie },
      body: JSON.stringify({ url: `https://hooks.clinic.example/${name}`, event_types: [] }),
    })
  const first = await make('first')
  assert.equal((await first.rest()).status, 201)
  const second = await make('second')
  await disableAdministrator(owner, { clinic_id, id, now })
  const { status, text } = await second.rest()
  assert.deepEqual([status, JSON.parse(text).code], [401, 'unauthorized'])
  const { rows } = await owner.query<{ url: string }>(sql`select url from subscription where clinic_id = ${clinic_id}`)
  assert.deepEqual(
    rows.map(({ url }) => url),
    ['https://hooks.clinic.example/first'],
  )
})
