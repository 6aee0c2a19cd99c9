// The authorization server works with the console's login: connects an app, exchanges, refreshes and ends, with its subscriptions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createAdministrator } from '@clinic-data/administration/administrators'
import * as schema from '@clinic-data/backend/migrations'
import { answerApp } from '@clinic-data/connect/answer-app'
import { endConnection } from '@clinic-data/connect/connections/change-connection'
import { useOf } from '@clinic-data/connect/connections/connection-use'
import { listConnections } from '@clinic-data/connect/connections/connections'
import { allowRequest } from '@clinic-data/connect/consent/consent'
import { allowDevice } from '@clinic-data/connect/consent/device-consent'
import { consoleConnect } from '@clinic-data/connect/console-connect'
import { openApps } from '@clinic-data/connect/open-apps'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import { openForConsole } from '@clinic-data/installation/database/storage'
import { authorizationRequest, newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { testClinic } from '@clinic-data/testing/grounds/test-clinic'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'

const { url, owner, opened } = await ownGround(schema)
const derived = consoleLogin(url, { databaseConsoleUrl: null }, parseSecretKeys(newSecretKeys()))
const database = await openForConsole({ ownerUrl: url, appUrl: null }, derived, (error) => assert.fail(error))
opened.defer(async () => {
  await database.close()
  await owner.query(sql`drop role ${sql.identifier(derived.login.name)}`)
})

const BASE_URL = 'https://api.clinic.example'
const settings = { database, baseUrl: BASE_URL, consoleUrl: 'https://console.clinic.example', policy: 'any' as const }
const now = () => new Date()
const wait = async () => undefined
const connect = { ...settings, mayRegister: false, now, log: failingLog, wait }
const { apps, authentication } = openApps(connect)
const answer = answerApp({ connect, authentication })
const post = async (endpoint: 'token' | 'revoke' | 'device', form: Record<string, string>) => {
  const context = { request_id: randomUUID(), deadline: Date.now() + 10_000 }
  const request = { form: { client_id: 'sc', ...form }, authorization: null, address: '192.0.2.7' }
  const { status, body } = await answer(endpoint, request, context)
  return { status, body: (body ?? {}) as Record<string, string> }
}

test('the console’s login may do all that connecting an app, its tokens and its end need', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const email = 'noa@clinic.example'
  const { id: administrator_id } = await createAdministrator(owner, { clinic_id, email, name: 'Noa Levi', now: now() })
  const person = {
    database,
    clinic,
    administrator_id,
    now: now(),
    requireApproval: async () => undefined,
    record: () => undefined,
  }
  const verifier = newVerifier()
  const redirect_uri = 'http://127.0.0.1:4321/callback'
  const request = authorizationRequest(verifier, { client_id: 'sc', redirect_uri })
  const allowed = () => ({ scopes: ['patients:read' as const], days: null, mint_request: randomUUID() })
  const address = await allowRequest({ apps, baseUrl: BASE_URL }, person, request, allowed())
  const code = new URL(address).searchParams.get('code') ?? ''
  const tokens = await post('token', { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri })
  assert.equal(tokens.status, 200)
  const refresh_token = tokens.body.refresh_token ?? ''
  const refreshed = await post('token', { grant_type: 'refresh_token', refresh_token })
  assert.equal(refreshed.status, 200)
  assert.equal((await post('revoke', { token: refreshed.body.access_token ?? '' })).status, 200)
  const [one] = await listConnections(database, clinic, now())
  assert.ok(one)
  const { id } = one
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at, made_by)
    values (${clinic_id}, 'wh_1', 'https://app.example/hook', '{}', '', '', now(), ${id})`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, 'wh_1')`)
  await owner.query(sql`update api_key set last_used_at = now() where clinic_id = ${clinic_id} and id = ${id}`)
  const used = { ...one, last_used_at: now().toISOString() }
  assert.deepEqual((await useOf(database, clinic, used, { now: now() })).addresses, [])
  const ended = await endConnection(database, clinic, { id, now: now(), wait, record: () => undefined })
  assert.equal(ended.end_reason, 'ended')
  const { rows } = await owner.query(sql`select enabled from subscription where clinic_id = ${clinic_id}`)
  assert.deepEqual(rows, [{ enabled: false }])
  const { body } = await post('device', {})
  const parts = consoleConnect({ apps, baseUrl: BASE_URL, database })
  await allowDevice(parts, person, body.user_code ?? '', allowed())
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  assert.equal((await post('token', { grant_type, device_code: body.device_code ?? '' })).status, 200)
})
