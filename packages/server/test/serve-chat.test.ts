// Chat in a running service: a message is sent and its outcome can be read; WhatsApp's webhook exists if it is configured.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import * as schema from '@clinic-data/backend/migrations'
import { sql } from '@clinic-data/database'
import { ConfigError, readConfig } from '@clinic-data/installation/config'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { newClinicId } from '@clinic-data/testing/run/test-service'
import pino from 'pino'
import { type Service, serve } from '../src/serve.ts'

// A database of its own: a service looks after every clinic of its database by its own clock, and other test files use other times.
const { url, owner } = await ownGround(schema)

async function running(t: TestContext, environment: Record<string, string> = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'serve-chat-'))
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_PORT: '0',
    BASE_URL: 'http://127.0.0.1:1',
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    ...environment,
  })
  const service = await serve({ config, role: 'all', log: pino({ level: 'silent' }) })
  t.after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })
  return service
}

/** Repeats a request that is refused because the machine is busy with other tests. */
async function answered(address: string, init: RequestInit): Promise<Response> {
  for (let tried = 1; ; tried++) {
    const answer = await fetch(address, init)
    if (answer.status !== 503 || tried === 50) return answer
    await delay(100)
  }
}

test('an accepted message goes to the platform at once, and its outcome can be read', async (t) => {
  const { address } = await running(t)
  const clinic_id = newClinicId()
  const clinic = { clinic_id, time_zone: 'Asia/Jerusalem', currency: 'ILS', country: 'IL', min_visit_minutes: 15 }
  await createClinic(owner, { ...clinic, week_start: 0, name: 'Chat' })
  await owner.query(sql`insert into chat_conversation (clinic_id, id, patient_phone, patient_phone_local,
      free_text_window_expires_at, created_at, updated_at)
    values (${clinic_id}, 'v1', '+972520000001', '0520000001', now() + interval '1 hour', now(), now())`)
  const scopes = ['chat:read', 'chat:write'] as const
  const now = new Date()
  const { key } = await mintKey(owner, { clinic_id, scopes, name: 'test', expires_at: null, rate_limit: null, now })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'once' }
  const body = JSON.stringify({ conversation_id: 'v1', text: 'Hello' })
  const sent = await answered(`${address}/v1/chat/messages`, { method: 'POST', headers, body })
  assert.equal(sent.status, 201, await sent.clone().text())
  const { data, meta } = (await sent.json()) as { data: { id: string; status: string }; meta: object }
  assert.deepEqual([data.status, meta], ['queued', { delivery_mode: 'free_text' }])
  const location = sent.headers.get('location') ?? ''
  assert.equal(new URL(location, address ?? '').pathname, `/v1/chat/messages/${data.id}`)
  // The simulated platform refuses this number some tenths of a second after the request.
  for (let round = 0; ; round++) {
    const read = await answered(`${address}/v1/chat/messages/${data.id}`, { headers })
    const message = ((await read.json()) as { data: { status: string; failure_reason: string | null } }).data
    if (message.failure_reason !== null) return assert.equal(message.status, 'failed')
    assert.ok(round < 200, message.status)
    await delay(50)
  }
})

test('WhatsApp’s webhook exists exactly when it is configured', async (t) => {
  const token = randomBytes(16).toString('hex')
  const query = `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`
  const ask = async ({ adminAddress }: Service, method: string) => {
    const answer = await fetch(`${adminAddress}/ingest/whatsapp?${query}`, { method })
    return [answer.status, await answer.text()]
  }
  const with_it = await running(t, { WHATSAPP_APP_SECRET: 'an app secret', WHATSAPP_VERIFY_TOKEN: token })
  assert.deepEqual(await ask(with_it, 'GET'), [200, '42'])
  assert.deepEqual(await ask(with_it, 'POST'), [401, ''])
  const without = await running(t)
  assert.equal((await ask(without, 'GET'))[0], 404)
  assert.equal((await ask(without, 'POST'))[0], 404)
})

test('an incomplete webhook configuration and an API without https are refused', () => {
  const mistakes: [environment: Record<string, string>, line: RegExp][] = [
    [{ WHATSAPP_APP_SECRET: 'x' }, /WHATSAPP_VERIFY_TOKEN/],
    [{ WHATSAPP_VERIFY_TOKEN: 'x' }, /WHATSAPP_APP_SECRET/],
    [{ WHATSAPP_API_URL: 'http://graph.example' }, /WHATSAPP_API_URL/],
    [{ WHATSAPP_API_URL: 'nowhere' }, /WHATSAPP_API_URL/],
  ]
  for (const [environment, line] of mistakes) {
    assert.throws(
      () => readConfig(environment),
      (error) => error instanceof ConfigError && line.test(error.message),
    )
  }
  assert.equal(readConfig({ WHATSAPP_API_URL: 'http://127.0.0.1:9' }).whatsapp.apiUrl, 'http://127.0.0.1:9')
})
