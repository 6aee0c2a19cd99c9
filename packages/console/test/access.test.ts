// Tests what the console tells of an integration: by which ways data is open to it, and how it does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Integration } from '@clinic-data/console-parts/api'
import type { EventType } from '@clinic-data/contract'
import { accessOf } from '../src/integrations/access.ts'
import { stateOf } from '../src/integrations/integration-state.ts'

const RESOURCES = ['patients', 'appointments', 'payments', 'chat', 'catalog', 'webhooks']

/** What a page says, by resource: r(eads), w(rites), s(ent by a webhook), m(ay subscribe). */
function told(scopes: string, ...webhooks: { enabled: boolean; event_types: EventType[] }[]) {
  const held = scopes.split(' ')
  const may = RESOURCES.map((resource) => ({
    resource,
    reads: held.includes(`${resource}:read`),
    writes: held.some((scope) => scope.startsWith(`${resource}:`) && !scope.endsWith(':read')),
  }))
  const letters = { reads: 'r', writes: 'w', isSent: 's', maySubscribe: 'm' } as const
  return accessOf(may, webhooks).map((access) =>
    Object.entries(letters)
      .filter(([name]) => access[name as keyof typeof letters])
      .map(([, letter]) => letter)
      .join(''),
  )
}

test('the table of an integration says of each resource whether it reads, changes, or does neither', () => {
  assert.deepEqual(told('patients:read payments:write'), ['r', '', 'w', '', '', ''])
  assert.deepEqual(told('payments:read payments:write chat:write'), ['', '', 'rw', 'w', '', ''])
  assert.deepEqual(told(''), ['', '', '', '', '', ''])
})

test('whole records that webhooks carry are told, also where nothing may be read', () => {
  const enabled = { enabled: true, event_types: ['payment.recorded', 'appointment.created'] as EventType[] }
  assert.deepEqual(told('', enabled), ['', 's', 's', '', '', ''])
  assert.deepEqual(told('', { ...enabled, enabled: false }), ['', '', '', '', '', ''])
  // No type is every type.
  assert.deepEqual(told('patients:read', { enabled: true, event_types: [] }), ['rs', 's', 's', 's', '', ''])
})

test('whoever makes webhooks may be sent whole records, and chats only with the permission to read them', () => {
  assert.deepEqual(told('webhooks:manage'), ['m', 'm', 'm', '', '', 'w'])
  assert.deepEqual(told('webhooks:manage chat:read'), ['m', 'm', 'm', 'rm', '', 'w'])
})

test('an integration is shown as stopped before all else, and as failing before it is active', () => {
  const usual: Integration = {
    id: 'int_1',
    name: 'CRM',
    contact: null,
    created_at: '2026-07-01T06:30:00Z',
    stopped_at: null,
    stopped_by: null,
    is_stopped_by_rule: false,
    keys: 1,
    connections: 0,
    webhooks: 0,
    failing_webhooks: 0,
    last_used_at: '2026-07-12T06:30:00Z',
    expires_at: null,
    patients_read_today: 0,
  }
  const one = (about: Partial<Integration>): Integration => ({ ...usual, ...about })
  const failing = { webhooks: 1, failing_webhooks: 1 }
  assert.equal(stateOf(one({})), 'active')
  assert.equal(stateOf(one(failing)), 'failing')
  assert.equal(stateOf(one({ ...failing, stopped_at: '2026-07-12T06:30:00Z' })), 'stopped')
  assert.equal(stateOf(one({ last_used_at: null })), 'unused')
  assert.equal(stateOf(one({ last_used_at: null, webhooks: 1 })), 'active')
  assert.equal(stateOf(one({ keys: 0 })), 'ended')
})
