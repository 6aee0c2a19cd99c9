// The client for Python does what it promises, alone and against the real service: the suite in `tests/`, run by this machine's Python.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { allScopes } from '@clinic-data/contract'
import { datedNear } from '@clinic-data/contract/example-dates'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { DEMO_CLINIC, ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { MISSING, python, runPython } from '@clinic-data/testing/programs/python'
import { emptyClinic, keyOf, newClinicId, startParts, type TestParts } from '@clinic-data/testing/run/test-service'
import { signedDeliveries } from './signed-deliveries.ts'

/** Enough that the demo holds what the examples name. */
const PATIENTS = 45
const skip = python === null && MISSING

/** By how much the dates of examples have moved by now. */
function daysLater(now: Date): number {
  const day = '2026-07-12'
  return (Date.parse(datedNear(day, now)) - Date.parse(day)) / 86_400_000
}

async function keyOfDemo({ owner, database }: TestParts, scopes: Parameters<typeof keyOf>[2]): Promise<string> {
  const clinic = { ...DEMO_CLINIC, clinic_id: newClinicId() }
  const webhookKeys = signingKeys([{ id: 'a', key: createSecretKey(randomBytes(32)) }], 'webhook-secret')
  await ensureDemoClinic({ owner, database, clinic, patients: PATIENTS, now: new Date(), webhookKeys })
  return keyOf(owner, clinic, scopes)
}

async function passes(file: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const strict = ['-W', 'error', '-W', 'ignore::ResourceWarning']
  const { status, stdout, stderr } = await runPython([...strict, '-m', 'unittest', '-b', `tests.${file}`], environment)
  assert.equal(status, 0, stdout + stderr)
  assert.match(stderr, /^Ran \d{1,2} tests? in/m)
  assert.doesNotMatch(stderr, /skipped/)
}

for (const [file, promise] of Object.entries({
  test_requests: 'requests are sent as the contract says, answers survive additions, and the key is never shown',
  test_sent_values: 'a value that cannot be sent is refused by its name',
  test_warnings: 'an answer with warnings says so at the line that asked',
  test_repeats:
    'a request is repeated where that is safe, after the pause that the service asks for, and fails with its kind of error',
  test_webhooks: 'a delivery is accepted only as the service signed it, and each refusal says why',
})) {
  test(`Python: ${promise}`, { skip }, () => passes(file, { SIGNED_DELIVERY: JSON.stringify(signedDeliveries) }))
}

test('Python: the examples of all methods and of the README run against the service, with and without asyncio', {
  skip,
}, async (t) => {
  const service = await startParts()
  t.after(() => service.close())
  await passes('test_service', {
    SC_BASE_URL: await service.address(),
    SC_API_KEY: await keyOfDemo(service, allScopes),
    // The examples delete and change, so each client has a clinic of its own.
    ASYNC_API_KEY: await keyOfDemo(service, allScopes),
    NARROW_API_KEY: await keyOf(service.owner, await emptyClinic(service.owner), ['patients:read']),
    DAYS_LATER: String(daysLater(new Date())),
  })
})
