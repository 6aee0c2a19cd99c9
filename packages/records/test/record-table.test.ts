// The table of a kind of record, made from the form of each of its fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { derived, recordTable, stored } from '../src/storing/record-table.ts'

interface Kept {
  id: string
  name: string
  price: number | null
  tags: readonly string[]
  updated_at: string
}

const clinic: Clinic = {
  clinic_id: 'c1',
  name: 'Springfield',
  time_zone: 'UTC',
  country: 'US',
  currency: 'USD',
  week_start: 0,
  min_visit_minutes: 15,
}

test('each field has its columns, the key stands apart, and what changes last is known', () => {
  const table = recordTable<Kept>()({
    name: 'kept',
    fields: { id: 'key', ...stored(['name']), price: 'money', tags: 'json', updated_at: 'updated' },
    more: [derived('name_folded', ({ name }) => name.toLowerCase())],
  })
  const record = { id: 'k1', name: 'Noa', price: 1.255, tags: ['a'], updated_at: '2026-07-14T09:00:00Z' }
  const values = (columns: typeof table.columns) => columns.map(({ name, value }) => [name, value(record, clinic)])
  assert.deepEqual(values(table.key), [['id', 'k1']])
  assert.deepEqual(values(table.columns), [
    ['name', 'Noa'],
    ['price_minor', 125],
    ['price_thousandths', 1255],
    ['tags', '["a"]'],
    ['name_folded', 'noa'],
  ])
  assert.equal(table.updatedAt?.(record), record.updated_at)
})

test('a field that a table forgets, does not have or stores in a form that it cannot have does not compile', () => {
  const whole = { id: 'key', name: 'stored', price: 'money', tags: 'elsewhere', updated_at: 'updated' } as const
  const { name: _, ...forgetful } = whole
  // @ts-expect-error: it forgets the name
  recordTable<Kept>()({ name: 'kept', fields: forgetful })
  // @ts-expect-error: no record has a colour
  recordTable<Kept>()({ name: 'kept', fields: { ...whole, ...stored(['color']) } })
  // @ts-expect-error: no column holds a list as it is
  recordTable<Kept>()({ name: 'kept', fields: { ...whole, tags: 'stored' } })
  // @ts-expect-error: a name is no amount
  recordTable<Kept>()({ name: 'kept', fields: { ...whole, name: 'money' } })
})
