// Apps are answered however many processes a service is: one, workers of one, or a gateway before a backend.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'

const CONSOLE_URL = 'https://console.clinic.example'
const { url } = await ownGround(schema)
const folder = await mkdtemp(join(tmpdir(), 'apps-'))
after(() => rm(folder, { recursive: true, force: true }))

const environment = {
  DATA_DIR: folder,
  CONSOLE_URL,
  CONNECT_REGISTRATION: '1',
  SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
}

async function backendAndGateway() {
  const BACKEND_TOKEN = randomBytes(24).toString('hex')
  const shared = { ...environment, BACKEND_TOKEN }
  const backend = await startClinicd(['--role', 'backend'], { ...shared, DATABASE_URL: url })
  return startClinicd(['--role', 'gateway'], { ...shared, BACKEND_URL: backend.adminAddress })
}

const services = {
  'one process': () => startClinicd([], { ...environment, DATABASE_URL: url }),
  'two workers': () => startClinicd(['--workers', '2'], { ...environment, DATABASE_URL: url }),
  'a gateway before a backend': backendAndGateway,
}

for (const [words, start] of Object.entries(services)) {
  test(`${words}: an app registers itself, and its device waits for a person`, async () => {
    const { address } = await start()
    const post = async (endpoint: string, form: Record<string, string> | string) => {
      const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
      const type = typeof form === 'string' ? 'application/json' : 'application/x-www-form-urlencoded'
      // Several connections, so that several workers answer.
      const headers = { 'content-type': type, connection: 'close' }
      const answer = await fetch(`${address}/oauth/${endpoint}`, { method: 'POST', headers, body })
      const text = await answer.text()
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
    }
    const metadata = { client_name: 'A device', redirect_uris: ['http://127.0.0.1/callback'] }
    const registered = await post('register', JSON.stringify(metadata))
    assert.equal(registered.status, 201, JSON.stringify(registered.json))
    const { client_id } = registered.json
    const asked = await post('device', { client_id, scope: 'patients:read' })
    assert.equal(asked.status, 200, JSON.stringify(asked.json))
    assert.equal(asked.json.verification_uri, `${CONSOLE_URL}/console/device`)
    const { device_code } = asked.json
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const polled = await post('token', { grant_type, client_id, device_code })
    assert.deepEqual([polled.status, polled.json.error], [400, 'authorization_pending'])
    const guessed = await post('token', { grant_type: 'refresh_token', client_id, refresh_token: 'no such token' })
    assert.deepEqual([guessed.status, guessed.json.error], [400, 'invalid_grant'])
    assert.equal((await post('revoke', { client_id, token: 'no such token' })).status, 200)
  })
}
