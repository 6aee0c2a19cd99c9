// Tests what somebody reads of a request before approving it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Approval } from '@clinic-data/console-parts/api'
import { subjectOf } from '../src/approvals/requested.ts'

const asking = (operation: string, body: object, shown: object): Approval => ({
  id: 'apr_1',
  operation,
  asked_by: { id: 'adm_1', name: 'Noa' },
  asked_at: '2026-11-27T12:00:00.000Z',
  state: 'waiting',
  decided_by: null,
  decided_at: null,
  expires_at: '2026-12-01T12:00:00.000Z',
  request: JSON.stringify({ params: {}, body, shown }),
})

test('whoever approves reads what a request leaves out: a key without an end, a webhook of all events', () => {
  const key = asking('console.keys.mint', { name: 'CRM', scopes: ['patients:read'] }, { name: 'CRM' })
  const { subject } = subjectOf(key)
  assert.deepEqual([subject.expires_at, subject.networks], [null, null])
  const webhook = asking('webhooks.create', { url: 'https://crm.example' }, { name: 'https://crm.example' })
  assert.equal(subjectOf(webhook).subject.event_types, null)
})

test('a change shows what it changes alone, and how that is now', () => {
  const change = asking('console.keys.change', { rate_limit: 300 }, { name: 'CRM', former: { rate_limit: 100 } })
  assert.deepEqual(subjectOf(change), { subject: { name: 'CRM', rate_limit: 300 }, former: { rate_limit: 100 } })
})

test('a change that also renames a key is known by the name that the key has', () => {
  const change = asking('console.keys.change', { name: 'Web site', rate_limit: 300 }, { name: 'Billing' })
  assert.deepEqual(subjectOf(change).subject, { name: 'Billing', new_name: 'Web site', rate_limit: 300 })
})
