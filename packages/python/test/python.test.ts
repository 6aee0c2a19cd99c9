// The client for Python does what it promises, alone and against the real service: the suite in `tests/`, run by this machine's Python.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { allScopes } from '@clinic-data/contract'
import { datedNear } from '@clinic-data/contract/example-dates'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { DEMO_CLINIC, ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { MISSING, python, runPython } from '@clinic-data/testing/programs/python'
import { keyOf, newClinicId, startParts, type TestParts } from '@clinic-data/testing/run/test-service'
import { signedDeliveries } from './signed-deliveries.ts'

/** Enough that the demo holds what the examples name. */
const PATIENTS = 45
const skip = python === null && MISSING

let service: TestParts
const environment: Record<string, string> = { SIGNED_DELIVERY: JSON.stringify(signedDeliveries) }
if (!skip) {
  before(async () => {
    service = await startParts()
    environment.SC_BASE_URL = await service.address()
    for (const name of ['SC_API_KEY', 'ASYNC_API_KEY']) environment[name] = await keyOfDemo(allScopes)
    environment.DAYS_LATER = String(daysLater(new Date()))
    environment.NARROW_API_KEY = await keyOfDemo(['patients:read'])
  })
  after(() => service.close())
}

/** By how much the dates of examples have moved by now. */
function daysLater(now: Date): number {
  const day = '2026-07-12'
  return (Date.parse(datedNear(day, now)) - Date.parse(day)) / 86_400_000
}

async function keyOfDemo(scopes: Parameters<typeof keyOf>[2]): Promise<string> {
  const { owner, database } = service
  const clinic = { ...DEMO_CLINIC, clinic_id: newClinicId() }
  const webhookKeys = signingKeys([{ id: 'a', key: createSecretKey(randomBytes(32)) }], 'webhook-secret')
  await ensureDemoClinic({ owner, database, clinic, patients: PATIENTS, now: new Date(), webhookKeys })
  return keyOf(owner, clinic, scopes)
}

for (const [file, promise] of Object.entries({
  test_requests: 'requests are sent as the contract says, answers survive additions, and the key is never shown',
  test_repeats:
    'a request is repeated where that is safe, after the pause that the service asks for, and fails with its kind of error',
  test_webhooks: 'a delivery is accepted only as the service signed it, and each refusal says why',
  test_service: 'the examples of all methods and of the README run against the service, with and without asyncio',
})) {
  test(`Python: ${promise}`, { skip }, async () => {
    const { status, stdout, stderr } = await runPython(
      ['-W', 'error', '-W', 'ignore::ResourceWarning', '-m', 'unittest', '-b', `tests.${file}`],
      environment,
    )
    assert.equal(status, 0, stdout + stderr)
    assert.match(stderr, /^Ran \d{1,2} tests? in/m)
    assert.doesNotMatch(stderr, /skipped/)
  })
}
