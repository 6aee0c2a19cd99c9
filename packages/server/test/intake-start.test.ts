// The first record that a clinic's system sends does not wait for the thread that stores it: it starts with the service.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mintIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import * as schema from '@clinic-data/backend/migrations'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { emptyClinic } from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'

const TASKS = '/proc/self/task'
const skip = existsSync(TASKS) ? false : 'the system does not name the threads of a process'

function intakes(): number {
  const names = readdirSync(TASKS).map((task) => {
    const file = `${TASKS}/${task}/comm`
    // A thread may end meanwhile.
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  })
  return names.filter((name) => name === 'intake').length
}

test('where a clinic has a token, the thread that stores records starts with the service', { skip }, async () => {
  const { owner, url } = await ownGround(schema)
  const { clinic_id } = await emptyClinic(owner)
  await mintIngestToken(owner, { clinic_id, name: 'PMS', now: new Date() })
  assert.equal(intakes(), 0)
  const service = await serveHere(
    { DATABASE_URL: url, SECRET_KEYS: newSecretKeys(), BACKEND_TOKEN: randomBytes(24).toString('hex') },
    'backend',
  )
  await until(
    async () => intakes() === 1,
    () => 'the thread did not start',
  )
  await service.stop()
  assert.equal(intakes(), 0)
})
