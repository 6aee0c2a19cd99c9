// The console answers under its own address alone: whatever asks under another name is told so, and changes and counts nothing.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { createAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { BASE_URL, emptyClinic, startParts } from '@clinic-data/testing/run/test-service'
import pino from 'pino'
import { adminListener } from '../src/private/admin-listener.ts'
import { openConsole } from '../src/private/console.ts'
import { consolePage } from '../src/private/console-page.ts'
import { isConsoleHost } from '../src/private/named-host.ts'

const CONSOLE_URL = 'https://console.clinic.example'
const service = await startParts()
const { owner, backend } = service
const log = pino({ level: 'silent' })
const app = adminListener({ maxConnections: 10, trustedProxies: [], baseUrl: BASE_URL, log })
const config = {
  baseUrl: BASE_URL,
  consoleUrl: CONSOLE_URL,
  adminHost: '127.0.0.1',
  adminNames: [],
  trustedProxies: [],
  webhookAllowCidrs: [],
  openId: null,
  mail: null,
  rate: { requests: 600, seconds: 60 },
}
const secretKeys = parseSecretKeys(`t:${randomBytes(32).toString('base64')}`)
const routes = await openConsole(app, { config, log, database: owner, backendWith: () => backend, secretKeys })
await app.register(consolePage({ baseUrl: BASE_URL }))
app.get('/other', async () => 'other')
after(async () => {
  await app.close()
  await routes.close()
  await service.close()
})

function ask(host: string, path: string, body?: object) {
  const origin = `https://${host}`
  const headers = {
    host,
    origin,
    'sec-fetch-site': 'same-origin',
    'x-console': '1',
    'content-type': 'application/json',
  }
  return app.inject({ method: body === undefined ? 'GET' : 'POST', url: path, headers, ...(body && { payload: body }) })
}

test('under another host the page, its files and its operations are refused with a line that says what to do', async () => {
  const paths = [
    '/console',
    '/console/',
    '/console/keys',
    '/console/assets/x.js',
    '/console/api/session',
    '/console/api/v1/me',
  ]
  for (const path of [...paths, '/%63onsole/', '/console/api/sign-in/ways'])
    for (const host of [
      'evil.example',
      'console.clinic.example.evil.example',
      'console.clinic.example:444',
      'clinicd',
    ]) {
      const { statusCode, payload, headers } = await ask(host, path)
      assert.deepEqual([statusCode, headers['set-cookie']], [421, undefined], `${host} ${path}`)
      assert.match(payload, /does not answer under this host name.*CONSOLE_URL/)
    }
  assert.equal((await ask('evil.example', '/other')).statusCode, 200)
  for (const host of ['console.clinic.example', 'Console.Clinic.example', 'localhost:8081', '127.0.0.1:8081', '[::1]'])
    assert.equal((await ask(host, '/console/api/sign-in/ways')).statusCode, 200, host)
})

test('attempts under another host do not count against their sender', async () => {
  const parts = { client_data: 'eA', authenticator_data: 'eA', signature: 'eA' }
  const junk = { credential_id: 'eA', user_handle: 'eA', ...parts }
  for (let n = 0; n < 60; n++)
    assert.equal((await ask('evil.example', '/console/api/sign-in/passkey', junk)).statusCode, 421)
  const clinic = await emptyClinic(owner)
  const { clinic_id } = clinic
  const now = new Date()
  const { id } = await createAdministrator(owner, { clinic_id, email: 'noa@clinic.example', name: 'Noa Levi', now })
  const { token } = await makeSignInLink(owner, { clinic_id, id, now })
  const signedIn = await ask('console.clinic.example', '/console/api/sign-in/link', { token })
  assert.equal(signedIn.statusCode, 200, signedIn.payload)
  // The address says that it is https, whatever the proxy in front leaves out.
  assert.match(String(signedIn.headers['set-cookie']), /^__Host-console_session=.*; Secure/)
})

test('without CONSOLE_URL the console answers under addresses, names without a dot and the names of the settings', () => {
  const names = {
    consoleUrl: null,
    baseUrl: BASE_URL,
    adminHost: 'private.example',
    adminNames: ['metrics.example.com'],
  }
  for (const host of [
    '10.1.2.3:8081',
    '[::1]:8081',
    'localhost:8081',
    'clinicd',
    'private.example',
    'metrics.example.com',
  ])
    assert.equal(isConsoleHost(host, names), true, host)
  assert.equal(isConsoleHost(new URL(BASE_URL).host, names), true)
  for (const host of ['evil.example:8081', 'metrics.example.com.evil.example', 'clinicd.', 'a b', '', undefined])
    assert.equal(isConsoleHost(host, names), false, host)
})
