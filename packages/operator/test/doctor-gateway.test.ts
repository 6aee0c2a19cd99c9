// `clinicd doctor --role gateway`: what a gateway and its backends must share, and whether they answer.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { readConfig } from '@clinic-data/installation/config'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { until } from '@clinic-data/testing/until'
import { examine } from '../src/doctor/examine.ts'
import type { Check } from '../src/doctor/finding.ts'

const { url } = await ownGround(schema)
const DATA_DIR = await mkdtemp(join(tmpdir(), 'doctor-gateway-'))
after(() => rm(DATA_DIR, { recursive: true }))
const CONSOLE_URL = 'https://console.clinic.example'
const SECRET_KEYS = newSecretKeys()
const BACKEND_TOKEN = randomBytes(24).toString('hex')
const [id] = SECRET_KEYS.split(':')
const others = `${id}:${randomBytes(32).toString('base64')}`

function examined(environment: Record<string, string>) {
  return examine(readConfig({ DATA_DIR, PORT: '0', ADMIN_PORT: '0', ...environment }), 'gateway')
}

async function assertReported(check: Check, state: string, line: RegExp, environment: Record<string, string>) {
  const found = (await examined(environment)).find((finding) => finding.check === check) ?? assert.fail(check)
  assert.equal(found.state, state, found.detail)
  assert.match(found.detail, line)
}

test('a gateway finds its backend, and a token that the backend does not know', async (t) => {
  const backend = await serveHere({ DATABASE_URL: url, SECRET_KEYS, BACKEND_TOKEN }, 'backend')
  t.after(() => backend.stop())
  const own = { SECRET_KEYS, BACKEND_TOKEN, BACKEND_URL: backend.adminAddress }
  await assertReported('backend', 'ok', /answers, and knows BACKEND_TOKEN/, own)
  await assertReported('backend', 'fault', /refuses BACKEND_TOKEN/, { ...own, BACKEND_TOKEN: 'x'.repeat(32) })
  await backend.stop()
  await assertReported('backend', 'fault', /cannot be reached: .*ECONNREFUSED/, own)
})

test('a gateway whose secret keys are not its backend’s, or whose backend connects apps where it does not, is a fault', async (t) => {
  const backend = await serveHere({ DATABASE_URL: url, SECRET_KEYS, BACKEND_TOKEN, CONSOLE_URL }, 'backend')
  t.after(() => backend.stop())
  const own = { SECRET_KEYS, BACKEND_TOKEN, CONSOLE_URL, BACKEND_URL: backend.adminAddress }
  assert.ok((await examined(own)).every(({ state }) => state !== 'fault'))
  const line = new RegExp(`has other SECRET_KEYS: ${id} differs`)
  await assertReported('backend', 'fault', line, { ...own, SECRET_KEYS: others })
  const { CONSOLE_URL: _, ...silent } = own
  await assertReported('console_url', 'fault', /sign-in with 404: set CONSOLE_URL/, silent)
})

test('a gateway says at its start what it does not share with its backend', async (t) => {
  const backend = await serveHere({ DATABASE_URL: url, SECRET_KEYS, BACKEND_TOKEN, CONSOLE_URL }, 'backend')
  t.after(() => backend.stop())
  const own = { SECRET_KEYS: others, BACKEND_TOKEN, BACKEND_URL: backend.adminAddress }
  const gateway = await serveHere(own, 'gateway')
  t.after(() => gateway.stop())
  for (const line of [/other SECRET_KEYS than this gateway/, /set CONSOLE_URL for the gateway too/])
    await until(
      async () => gateway.texts.some((text) => line.test(text)),
      () => gateway.texts.join('\n'),
    )
})

test('a gateway’s backend that is not ready is a fault: the gateway could answer nobody', async (t) => {
  const away = createServer((_request, answer) => answer.writeHead(503).end()).listen(0, '127.0.0.1')
  t.after(() => away.close())
  await new Promise((listening) => away.once('listening', listening))
  const { port } = away.address() as AddressInfo
  const own = { SECRET_KEYS, BACKEND_TOKEN, BACKEND_URL: `http://127.0.0.1:${port}` }
  await assertReported('backend', 'fault', /is not ready/, own)
})
