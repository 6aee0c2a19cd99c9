// Failures of the ingest API are logged with the id of the request, and without patient data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { redaction } from '@clinic-data/gateway/telemetry/log'
import { askIngest, openIngest, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import pino from 'pino'

const database = await testDatabase()
const { owner } = database
const clinic = await testClinic(owner)

test('an unexpected failure gets a 500 and is logged without patient data, token or body', async (t) => {
  // A constraint that the API does not know. If it refuses a row, that counts as an internal error.
  await owner.query(sql`alter table patient add constraint refused_in_test
    check (id <> 'refused-by-the-database') not valid`)
  t.after(() => owner.query(sql`alter table patient drop constraint refused_in_test`))
  const lines: string[] = []
  const log = pino({ level: 'info', redact: redaction }, { write: (line: string) => void lines.push(line) })
  const ingest = await openIngest(database, { log })
  const { token } = await tokenOf(owner, clinic)
  const secrets = ['Zvulun', 'Ashkenazi', '0501239876', 'zvulun@example.com', '312345678', 'HaYarkon', token]
  const body = {
    id: 'refused-by-the-database',
    first_name: 'Zvulun',
    last_name: 'Ashkenazi',
    phone: '0501239876',
    email: 'zvulun@example.com',
    id_number: '312345678',
    address: { street: 'HaYarkon 7' },
  }
  const { status, json, headers } = await askIngest(ingest, '/patients', { token, body })
  assert.deepEqual([status, json.type], [500, 'https://api.clinic.example/problems/internal-error'])
  assert.equal(lines.length, 1)
  const line = JSON.parse(lines[0] ?? '')
  assert.deepEqual([line.request_id, line.route], [headers['x-request-id'], '/ingest/v1/patients'])
  assert.match(line.err.message, /check constraint/)
  for (const secret of secrets) {
    for (const text of [...lines, JSON.stringify(json)]) assert.ok(!text.includes(secret), secret)
  }
})

test('a fault of the sender is answered but not logged, and the answer quotes nothing that was sent', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const ingest = await openIngest(database, { log })
  const { token } = await tokenOf(owner, clinic)
  const wrong = [
    [
      '/patients',
      {
        id: 'p1',
        birth_date: 'Zvulun',
        status_id: 7,
        gender: 'Zvulun',
        contacts: [{ type: 'phone', value: 'Zvulun' }],
      },
    ],
    ['/patients', { id: 'p1', status_id: 'Zvulun' }],
    ['/treatments', { id: 't', patient_id: 'Zvulun' }],
    ['/appointments/cancel', { id: 'Zvulun' }],
    ['/payments', { id: 'y', amount: 'Zvulun' }],
  ] as const
  for (const [path, body] of wrong) {
    const { status, json } = await askIngest(ingest, path, { token, body })
    assert.ok(status === 400 || status === 422, path)
    assert.ok(!JSON.stringify(json).includes('Zvulun'), path)
  }
  assert.deepEqual(lines, [])
})
