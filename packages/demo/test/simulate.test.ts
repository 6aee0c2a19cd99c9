// A simulated clinic: every change in it is stored as it was sent, and sent to the integrations once.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { createClinic } from '@clinic-data/administration/clinics'
import { ingestRoutes } from '@clinic-data/backend/intake/ingest-routes'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { asApplication } from '@clinic-data/testing/run/application'
import { sized } from '@clinic-data/testing/run/size'
import { newClinicId } from '@clinic-data/testing/run/test-service'
import Fastify, { type FastifyInstance } from 'fastify'
import pino from 'pino'
import { DEMO_CLINIC } from '../src/demo-clinic.ts'
import { generateDemo } from '../src/generate-demo.ts'
import { runSimulation } from '../src/simulator/run-simulation.ts'

/** Whichever day it is: what a clinic's day is like follows from it. */
const NOW = new Date('2026-07-15T08:20:30.123Z')
const url = process.env.TEST_DATABASE_URL ?? ''
let owner: Database
let app: Database
let listener: FastifyInstance
let address: string
const logLines: string[] = []

before(async () => {
  owner = await openDatabase({ url, statementTimeoutMs: 0 })
  app = await openDatabase(asApplication(url))
  const log = pino({ level: 'warn' }, { write: (line: string) => void logLines.push(line) })
  listener = Fastify({ logger: false })
  const fileLinkKeys = signingKeys(parseSecretKeys(`t:${randomBytes(32).toString('base64')}`), 'file-link')
  const parts = {
    database: app,
    now: () => NOW,
    log,
    baseUrl: 'https://x.example',
    fileLinkKeys,
    addressOf: () => '192.0.2.1',
  }
  await listener.register(ingestRoutes(parts), { prefix: '/ingest' })
  address = await listener.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  await listener.close()
  await app.close()
  await owner.close()
})

const SECONDS = sized({ everyday: 7, long: 60 })

let days: ReturnType<typeof live> | undefined
/** The one clinic of these tests, and what its simulation reported. */
const lived = () => {
  days ??= live(2, SECONDS)
  return days
}

/** A small clinic in which the actions follow each other without pauses. */
async function live(seed: number, seconds: number) {
  const clinic = { ...DEMO_CLINIC, clinic_id: newClinicId() }
  await createClinic(owner, { ...clinic, name: 'Simulated', ai_transcription: true, now: NOW })
  await generateDemo({ database: app, clinic, patients: 30, seed, now: NOW })
  let clock = NOW.getTime() - 3_600_000
  const report = await runSimulation({
    owner,
    clinic,
    address,
    rate: 20,
    seconds,
    seed,
    signal: new AbortController().signal,
    wait: async (ms) => {
      clock += ms
    },
    now: () => new Date(clock),
  })
  return { clinic, report }
}

test('every record is stored as it was sent, each change is one event, and every type of event is fired', async () => {
  const { report } = await lived()
  assert.deepEqual(report.faults, [])
  assert.ok(report.done >= 20 * SECONDS, `${report.done}`)
  assert.ok(report.compared > 8 * SECONDS, `${report.compared}`)
  assert.deepEqual(logLines, [])
  const kinds = Object.keys(report.events).map((type) => type.split('.').slice(0, -1).join('.'))
  assert.deepEqual([...new Set(kinds)].sort(), [
    'appointment',
    'call',
    'call.recording',
    'call.transcript',
    'chat.message',
    'patient',
    'payment',
    'treatment',
  ])
})

test('the comparison finds changes that the simulation did not make', async () => {
  const { clinic, report } = await lived()
  assert.deepEqual(report.faults, [])
  const { checkSimulation } = await import('../src/simulator/check-simulation.ts')
  const { LivingClinic } = await import('../src/simulator/living-clinic.ts')
  const { meetClinic } = await import('../src/simulator/meet-clinic.ts')
  const { ingestClient } = await import('../src/simulator/ingest-client.ts')
  const { mintIngestToken } = await import('@clinic-data/administration/credentials/ingest-tokens')
  const { clinic_id } = clinic
  const { token } = await mintIngestToken(owner, { clinic_id, name: 'test', now: NOW })
  const met = await meetClinic(owner, clinic)
  const living = new LivingClinic({
    ...met,
    ingest: ingestClient(address, token),
    now: () => NOW,
    seed: 1,
    run: 'x',
  })
  await living.tell('/patients', { id: 'p-x', first_name: 'Noa' }, 'patient.created')
  living.expect('patient.updated')
  await owner.query(sql`update patient set first_name = 'Other' where clinic_id = ${clinic_id} and id = 'p-x'`)
  const { rows } = await owner.query<{ last_position: number }>(sql`
    select last_position from event_counter where clinic_id = ${clinic_id}`)
  const { faults } = await checkSimulation(owner, clinic_id, living, (rows[0]?.last_position ?? 0) - 1)
  assert.match(faults.join('\n'), /\/patients p-x was updated/)
  assert.match(faults.join('\n'), /patient\.updated: 1 changes, 0 events/)
})
