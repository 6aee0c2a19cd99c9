// Records that name only their known fields.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPatient, PatientRecord } from '../src/patients.ts'
import { complete } from '../src/storing/complete-record.ts'

const AT = '2026-01-05T08:00:00.000Z'

test('a missing field is null or an empty list', () => {
  const record = complete(PatientRecord, { id: 'p1', gender: 'female', created_at: AT, updated_at: AT })
  assert.deepEqual(Object.keys(record).sort(), Object.keys(PatientRecord.properties).sort())
  const { id, gender, contacts, created_at, updated_at, ...others } = record
  assert.deepEqual({ id, gender, contacts, created_at }, { id: 'p1', gender: 'female', contacts: [], created_at: AT })
  assert.deepEqual(new Set(Object.values(others)), new Set([null]))
  assert.deepEqual(checkPatient(record), [])
})

test('a given field stays as it is', () => {
  const contacts: PatientRecord['contacts'] = [{ type: 'phone', value: '1', label: null, is_primary: true }]
  const record = complete(PatientRecord, { id: 'p1', phone: '2', contacts, created_at: AT, updated_at: AT })
  assert.equal(record.phone, '2')
  assert.equal(record.contacts, contacts)
})
