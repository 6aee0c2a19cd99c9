// Apps can be connected where the service knows the address of its console, and register themselves in the demo.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '@clinic-data/installation/config'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { connectOf } from '../src/connecting.ts'

const configOf = (environment: Record<string, string> = {}) => readConfig({ DATA_DIR: '/nowhere', ...environment })
const CONSOLE_URL = 'https://console.clinic.example'

test('a service of one process knows where its console is, at a name that browsers have passkeys for', () => {
  assert.equal(
    connectOf({ config: configOf({ ADMIN_PORT: '8181' }), role: 'all' })?.consoleUrl,
    'http://localhost:8181',
  )
  assert.equal(connectOf({ config: configOf({ CONSOLE_URL }), role: 'all' })?.consoleUrl, CONSOLE_URL)
  assert.equal(connectOf({ config: configOf({ ADMIN_PORT: '0' }), role: 'all' }), null, 'a port that nobody knows yet')
})

test('a part of a service connects no app until somebody has said where people reach the console', () => {
  for (const role of ['gateway', 'backend', 'dispatcher'] as const) {
    assert.equal(connectOf({ config: configOf(), role }), null)
    assert.equal(connectOf({ config: configOf({ CONSOLE_URL }), role })?.consoleUrl, CONSOLE_URL)
  }
})

test('a start that can connect no app says so in one line, and what to set', async () => {
  const BACKEND_TOKEN = randomBytes(24).toString('hex')
  const environment = { BACKEND_URL: 'http://127.0.0.1:1', BACKEND_TOKEN, SECRET_KEYS: newSecretKeys() }
  const linesWith = async (more: Record<string, string>) => {
    const service = await serveHere({ ...environment, ...more }, 'gateway')
    await service.stop()
    return service.lines.filter((line) => line.includes('CONSOLE_URL'))
  }
  const line =
    'no app can be connected, because the service does not know where people reach the console: set CONSOLE_URL'
  assert.deepEqual(await linesWith({}), [line])
  assert.deepEqual(await linesWith({ CONSOLE_URL }), [])
})

test('apps register themselves where the operator lets them, and in the demo unless only some apps are welcome', () => {
  const may = (environment: Record<string, string>, isDemo: boolean) =>
    connectOf({ config: configOf(environment), role: 'all', isDemo })?.mayRegister
  assert.equal(may({}, false), false)
  assert.equal(may({ CONNECT_REGISTRATION: '1' }, false), true)
  assert.equal(may({}, true), true)
  assert.equal(may({ CONNECT_APPS: 'registered' }, true), false)
})
