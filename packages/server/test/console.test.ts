// The console as an operator and a browser meet it: `clinicd admins`, and the private listener of a running service.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import { consoleAddress } from '@clinic-data/installation/console-address'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { testClinic } from '@clinic-data/testing/grounds/test-clinic'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'
import { secureRequests } from '../src/private/console.ts'

// Its own: the background work of a service looks at every clinic of its database.
const { url, owner } = await ownGround(schema)
const environment = { DATABASE_URL: url, SECRET_KEYS: newSecretKeys() }

test('a link of `admins link` opens the console of the running service once, until the administrator is disabled', async () => {
  const { clinic_id } = await testClinic(owner)
  const admins = (...argv: string[]) => operator.run(['admins', ...argv, '--clinic', clinic_id], environment)
  const made = await admins('create', '--email', 'Noa@Clinic.example', '--name', 'Noa Levi')
  assert.deepEqual([made.code, made.errors], [0, ''])
  const id = made.out.trim()
  assert.match(id, /^adm_[0-9a-z]{26}$/)
  const again = await admins('create', '--email', 'noa@clinic.example', '--name', 'Noa')
  assert.deepEqual(
    [again.code, again.errors],
    [1, 'clinicd: the clinic has an administrator with this email already\n'],
  )
  const service = await serveHere(environment)
  const link = await admins('link', id, '--console', service.adminAddress)
  const token = new RegExp(`^${service.adminAddress}/console/#link=(\\S+)\n`).exec(link.out)?.[1]
  const page = await fetch(`${service.adminAddress}/console/`)
  assert.match(await page.text(), /<title>Console<\/title>/)
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self';/)
  const ask = (path: string, init: RequestInit) => fetch(`${service.adminAddress}/console/api${path}`, init)
  const headers = { 'content-type': 'application/json', 'x-console': '1', origin: service.adminAddress }
  const signIn = () => ask('/sign-in/link', { method: 'POST', headers, body: JSON.stringify({ token }) })
  const signedIn = await signIn()
  assert.equal(signedIn.status, 200)
  assert.equal((await signIn()).status, 401)
  const cookie = /^[^;]+/.exec(signedIn.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const keys = () => ask('/keys', { headers: { cookie } })
  assert.deepEqual([(await keys()).status, (await ask('/keys', {})).status], [200, 401])
  const [listed] = JSON.parse((await admins('list', '--json')).out)
  assert.deepEqual([listed.id, listed.email, listed.has_password], [id, 'noa@clinic.example', false])
  assert.equal((await admins('disable', id)).out, `Disabled the administrator ${id}.\n`)
  assert.equal((await keys()).status, 401)
  const refused = await admins('link', id)
  assert.equal(refused.code, 1)
  assert.ok(token && cookie)
  assert.ok(service.texts.every((text) => !text.includes(token) && !text.includes(cookie)))
})

test('a browser is led to a name on this machine, and elsewhere to the address as it is', () => {
  for (const host of ['127.0.0.1', '[::1]', '0.0.0.0', '[::]', 'localhost'])
    assert.equal(consoleAddress(`http://${host}:8081`), 'http://localhost:8081')
  assert.equal(consoleAddress('http://10.0.0.7:8081'), 'http://10.0.0.7:8081')
  assert.equal(consoleAddress('http://console.example.com:8081'), 'http://console.example.com:8081')
})

test('a request counts as https when a trusted proxy says so, or under a public address that is https', () => {
  const socket = (remoteAddress: string) => ({ remoteAddress }) as Socket
  const isSecure = secureRequests(['https://api.clinic.example'], new ClientAddress(['10.0.0.0/8']))
  const cases: [peer: string, headers: Record<string, string>, expected: boolean][] = [
    ['10.0.0.1', { 'x-forwarded-proto': 'https' }, true],
    ['10.0.0.1', { 'x-forwarded-proto': 'https, http' }, true],
    ['10.0.0.1', { 'x-forwarded-proto': 'http', host: 'api.clinic.example' }, false],
    ['192.0.2.1', { 'x-forwarded-proto': 'https' }, false],
    ['192.0.2.1', { host: 'API.clinic.example' }, true],
    ['192.0.2.1', { host: 'api.clinic.example:8081' }, false],
  ]
  for (const [peer, headers, expected] of cases) {
    assert.equal(isSecure({ headers, socket: socket(peer) }), expected, `${peer} ${JSON.stringify(headers)}`)
  }
  const plain = secureRequests(['http://127.0.0.1:8080'], new ClientAddress([]))
  assert.equal(plain({ headers: { host: '127.0.0.1:8080' }, socket: socket('127.0.0.1') }), false)
})
