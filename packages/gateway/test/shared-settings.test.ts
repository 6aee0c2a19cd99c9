// A gateway finds out that its backend has other secret keys, or connects apps where it does not, and says so once.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyFingerprints } from '@clinic-data/contract/key-fingerprints'
import { portHeaders } from '@clinic-data/contract/port'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { getPatient, ok, setUp } from './remote-backend.ts'

const newKeys = () => parseSecretKeys(`a:${randomBytes(32).toString('base64')}`)
const answering = (headers: Record<string, string>) => () => ({ ...ok, headers }) as typeof ok
const withKeys = (keys: ReturnType<typeof newKeys>) => answering({ [portHeaders.secret_keys]: keyFingerprints(keys) })

test('a backend with other secret keys is told in the log once, and again when that changes', async (t) => {
  const secretKeys = newKeys()
  const at = await setUp(t, { shared: { secretKeys, connectsApps: true } })
  const saidAfter = async (answer: () => typeof ok) => {
    at.vendor.answer = answer
    for (let n = 0; n < 3; n++) await getPatient(at)
    return at.logged.splice(0)
  }
  assert.deepEqual(await saidAfter(() => ok), [], 'an earlier version sends none')
  assert.deepEqual(await saidAfter(withKeys(secretKeys)), [])
  const said = await saidAfter(withKeys(newKeys()))
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /the backend has other SECRET_KEYS than this gateway/)
  assert.deepEqual(await saidAfter(() => ok), [])
  assert.deepEqual(await saidAfter(withKeys(secretKeys)), [
    'the backend has the same SECRET_KEYS as this gateway again',
  ])
})

test('a backend that connects apps behind a gateway that does not is told in the log once', async (t) => {
  for (const connectsApps of [false, true]) {
    const at = await setUp(t, { shared: { secretKeys: newKeys(), connectsApps } })
    at.vendor.answer = answering({ [portHeaders.connects_apps]: '1' })
    for (let n = 0; n < 3; n++) await getPatient(at)
    assert.equal(at.logged.length, connectsApps ? 0 : 1)
    if (!connectsApps) assert.match(at.logged[0] ?? '', /set CONSOLE_URL for the gateway too/)
  }
})
