// The rows that the example of each ingest operation needs, and the rows of a clinic in any table.
import assert from 'node:assert/strict'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import type { Send } from '@clinic-data/testing/grounds/ingest'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { clinicTables } from '../src/clinic-tables.ts'
import type { RecordsOperation } from '../src/ingest/ingest-operation.ts'
import { recordsOperations } from '../src/ingest/operations.ts'

type Value = Record<string, unknown>

/** Every id that a record gives in a field that names another row, by its path. */
export function namedIn(record: object, path: string): string[] {
  const values = path
    .split('.')
    .reduce<unknown[]>(
      (found, name) => found.flatMap((value) => listed(value).map((one) => (one as Value | null | undefined)?.[name])),
      [record],
    )
  return values.flatMap(listed).filter((value) => typeof value === 'string')
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Rows without a default. */
const whole: Record<string, Row> = {
  lead: {
    first_name: 'Dana',
    phone: '052-765-4321',
    source: 'social',
    created_date: '2026-01-01',
    created_at: '2026-01-01T08:00:00Z',
    updated_at: '2026-01-01T08:00:00Z',
  },
  call: { duration_seconds: 120, is_recorded: true },
  // The payment of the refund.
  payment: { amount_minor: 35_000 },
}

/** The needs of an example besides the rows that it names. */
const besides: Record<string, (owner: Database, clinic: Clinic, send: Send) => Promise<unknown>> = {
  'appointments.cancel': (owner, clinic) =>
    insert(owner, clinic, 'appointment_status', { id: 'gone', kind: 'cancelled' }),
  'time_off.remove': (owner, clinic) =>
    insert(owner, clinic, 'time_off', { id: 'off12', start: '2026-08-02T00:00:00Z', end: '2026-08-09T00:00:00Z' }),
  'calls.notes.store': (owner, clinic) => insert(owner, clinic, 'call', { id: 'c7710', ...whole.call }),
  'calls.recordings.store': (owner, clinic) => insert(owner, clinic, 'call', { id: 'c7710', ...whole.call }),
  'calls.transcripts.store': async (owner, clinic) => {
    await insert(owner, clinic, 'call', { id: 'c7710', ...whole.call, is_recorded: false })
    await owner.query(sql`update clinic set ai_transcription = true where clinic_id = ${clinic.clinic_id}`)
  },
  'chat.conversations.handled.store': (owner, clinic) => insert(owner, clinic, 'chat_conversation', { id: 'conv310' }),
  'chat.receipts.store': (_owner, _clinic, send) => {
    const { path, example } = operationOf('chat.staff_messages.store')
    return send(path, example)
  },
}

export function operationOf(id: string): RecordsOperation {
  const operation = recordsOperations.find((one) => one.id === id)
  if (operation === undefined) throw new Error(`there is no operation ${id}`)
  return operation
}

/** A messaging account belongs to one clinic: each test's clinic has its own. */
export function exampleFor({ id, example }: RecordsOperation, { clinic_id }: Clinic): Value {
  if (id !== 'messaging.store') return structuredClone(example) as Value
  return { ...example, account_id: BigInt(`0x${clinic_id.slice(1)}`).toString() }
}

/** Makes the rows that the example of an operation needs. */
export async function prepare(owner: Database, clinic: Clinic, operation: RecordsOperation, send: Send): Promise<void> {
  const { id, references, example } = operation
  const done = new Set<string>()
  for (const [path, table] of Object.entries(references)) {
    for (const named of namedIn(example, path)) {
      if (done.has(`${table} ${named}`)) continue
      done.add(`${table} ${named}`)
      await insert(owner, clinic, table, { id: named, ...whole[table] })
    }
  }
  await besides[id]?.(owner, clinic, send)
}

/** A digest of every row of a clinic, but for its audit log: equal only if nothing has changed. */
export async function fingerprint(owner: Database, { clinic_id }: Clinic): Promise<string> {
  const digests = Object.keys(clinicTables)
    .filter((table) => !table.startsWith('audit'))
    .map((table) => {
      const md5 = sql`md5(coalesce(string_agg(rows::text, '|' order by rows::text), ''))`
      return sql`select ${table}::text || ' ' || ${md5} as digest from ${sql.identifier(table)} rows
        where clinic_id = ${clinic_id}`
    })
  const { rows } = await owner.query<{ digest: string }>(sql.join(digests, sql` union all `))
  assert.equal(rows.length, digests.length)
  return rows.map(({ digest }) => digest).join('\n')
}
