// A clinic whose exchange reports calls: its data, its requests, and their effects.
import type { Clinic } from '@clinic-data/contract'
import { Call } from '@clinic-data/contract/resources/call'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { eventsOf, ingestOf, type Send, type Sent } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, type TestDatabase, testClinic } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

export interface Exchange {
  clinic: Clinic
  send: Send
  /** A call as GET answers it. */
  bytesOf: (id?: string) => Promise<string>
  /** All events, in the order of the feed. */
  typesOf: () => Promise<string[]>
  transcribes: (isOn: boolean) => Promise<void>
}

/** With AI transcription, and with files: `wav` and `other` are recordings, `pdf` is none. */
export async function clinicWithExchange(database: TestDatabase, now: () => Date): Promise<Exchange> {
  const { owner, app } = database
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const backend = createBackend({ database: app, now, log: failingLog })
  const transcribes = async (isOn: boolean) => {
    await owner.query(sql`update clinic set ai_transcription = ${isOn} where clinic_id = ${clinic_id}`)
  }
  await transcribes(true)
  await insert(owner, clinic, 'branch', { id: 'north', name: 'North' })
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' }, ['+972501234567'])
  await insert(owner, clinic, 'file', { id: 'wav' }, { id: 'other' })
  await insert(owner, clinic, 'file', { id: 'pdf', content_type: 'application/pdf' })
  return {
    clinic,
    send: await ingestOf(database, clinic, now),
    bytesOf: async (id = 'c1') =>
      serializerOf(Call)((await ask(backend, clinic, 'calls.get', { params: { id } })).data),
    typesOf: async () => (await eventsOf(owner, clinic)).map(({ type }) => type),
    transcribes,
  }
}

/** The outcome of one record, or the first of its faults. */
export function outcomeText({ status, json }: Sent): string {
  if (status === 200) return json.data.outcome
  const [{ pointer, code }] = json.errors
  return `${status} ${pointer} ${code}`
}

export const ended = {
  id: 'c1',
  direction: 'inbound',
  status: 'answered',
  from_phone: '050-123-4567',
  to_phone: '04-812-3456',
  handled_by: { id: 'agent7', name: 'Dana' },
  branch_id: 'north',
  started_at: '2026-07-12T09:20:00+03:00',
  answered_at: '2026-07-12T09:20:08+03:00',
  ended_at: '2026-07-12T09:22:08+03:00',
  duration_seconds: 120,
  ring_seconds: 8,
  is_recorded: true,
}

export const recording = { id: 'c1', file_id: 'wav', duration_seconds: 119 }

export const segments = [
  { speaker: 'agent', start_seconds: 0.4, end_seconds: 3.1, text: 'Good morning.' },
  { speaker: 'patient', start_seconds: 3.1, end_seconds: 4, text: 'בוקר טוב' },
]

export const transcript = { id: 'c1', status: 'completed', language: 'he', summary: 'A greeting.', segments }

export const failure = { id: 'c1', status: 'failed' }
