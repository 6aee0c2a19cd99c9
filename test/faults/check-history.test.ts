// The checker of histories finds each kind of violation in a made-up history, and nothing in a sound one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistory, LATEST_START_MS, type ViolationKind } from './check-history.ts'
import type { Entry, Stored, StoredEvent, Write } from './history.ts'

const wrote = (at: number, change: Partial<Write> = {}): Write => ({
  entry: 'write',
  kind: 'payment',
  name: 'a',
  result: 'ok',
  id: 'pay_a',
  requestId: 'r_a',
  invokedAt: at,
  endedAt: at + 5,
  ...change,
})
const event = (position: number, change: Partial<StoredEvent> = {}): StoredEvent => ({
  id: `evt_${position}`,
  type: 'payment.recorded',
  position,
  subject: 'pay_a',
  ...change,
})
const subscribed = (at: number, subscription = 'all', types: string[] = []): Entry => ({
  entry: 'subscribe',
  subscription,
  result: 'ok',
  types,
  invokedAt: at,
  endedAt: at + 5,
})
const ended = (at: number, result: 'ok' | 'unknown' = 'ok', subscription = 'all'): Entry => ({
  entry: 'unsubscribe',
  subscription,
  result,
  invokedAt: at,
  endedAt: at + 5,
})
const delivered = (at: number, change: object = {}): Entry => ({
  entry: 'delivery',
  subscription: 'all',
  event: 'evt_1',
  type: 'payment.recorded',
  at,
  ...change,
})
const walked = (at: number, ...ids: string[]): Entry => ({ entry: 'walk', ids, invokedAt: at, endedAt: at + 50 })
const read = (at: number, isFound: boolean): Entry => ({
  entry: 'read',
  kind: 'payment',
  id: 'pay_a',
  isFound,
  invokedAt: at,
  endedAt: at + 5,
})
const revoked = (at: number, result: 'ok' | 'unknown' = 'ok'): Entry => ({
  entry: 'revoke',
  key: 'k',
  result,
  invokedAt: at,
  endedAt: at + 5,
})
const used = (at: number, isAccepted: boolean): Entry => ({
  entry: 'use',
  key: 'k',
  isAccepted,
  invokedAt: at,
  endedAt: at + 5,
})

const stored = (change: Partial<Stored> = {}): Stored => ({
  records: [{ kind: 'payment', id: 'pay_a', name: 'a' }],
  events: [event(1)],
  documents: [1],
  audited: new Set(['r_a']),
  ...change,
})
const nothing: Stored = { records: [], events: [], documents: [], audited: new Set() }
const twice = [...stored().records, { kind: 'payment' as const, id: 'pay_b', name: 'a' }]

const SOUND: readonly [string, Entry[], Stored][] = [
  ['an acknowledged write that is stored', [wrote(10)], stored()],
  ['a write without an answer that was made', [wrote(10, { result: 'unknown' })], stored()],
  ['a write without an answer that was not made', [wrote(10, { result: 'unknown' })], nothing],
  ['a repeated write with one answer', [wrote(10, { result: 'unknown' }), wrote(20), wrote(30)], stored()],
  ['a read before the acknowledgement', [wrote(10), read(12, false), read(20, true)], stored()],
  ['a delivery that came twice', [subscribed(0), wrote(10), delivered(20), delivered(30)], stored()],
  [
    'an event from before the subscription',
    [wrote(10), wrote(0, { name: 'b', id: 'x', requestId: 'r_a' }), subscribed(20)],
    {
      ...stored({ events: [event(1), event(2, { subject: 'x' })], documents: [1, 2] }),
      records: [...stored().records, { kind: 'payment', id: 'x', name: 'b' }],
    },
  ],
  ['an event of another type', [subscribed(0, 'all', ['patient.created']), wrote(10)], stored()],
  ['a subscription that somebody asked to end', [subscribed(0), wrote(10), ended(20, 'unknown')], stored()],
  ['a delivery soon after the end', [subscribed(0), wrote(10), ended(20), delivered(25 + LATEST_START_MS)], stored()],
  ['a key used before its revocation ended', [used(10, true), revoked(12), used(16, true), used(30, false)], nothing],
  ['a key whose revocation has no answer', [revoked(12, 'unknown'), used(30, true)], nothing],
  [
    'a lead without an event, and a message with two',
    [
      wrote(10, { kind: 'lead', id: 'lead_a', requestId: 'r_l' }),
      wrote(10, { kind: 'message', id: 'out_a', requestId: 'r_m' }),
    ],
    {
      ...nothing,
      records: [
        { kind: 'lead', id: 'lead_a', name: 'a' },
        { kind: 'message', id: 'out_a', name: 'a' },
      ],
      events: [
        event(1, { type: 'chat.message.sent', subject: 'out_a' }),
        event(2, { type: 'chat.message.delivered', subject: 'out_a' }),
      ],
      audited: new Set(['r_l', 'r_m']),
    },
  ],
  ['a walk that a new row came into', [wrote(10), walked(5), walked(30, 'pay_a')], stored()],
]

for (const [name, history, state] of SOUND)
  test(`nothing is found in ${name}`, () => assert.deepEqual(checkHistory(history, state), []))

const WRONG: readonly [ViolationKind, string, Entry[], Stored][] = [
  ['lost write', 'an acknowledged write is not stored', [wrote(10)], { ...nothing, audited: new Set(['r_a']) }],
  [
    'doubled write',
    'a keyed payment is stored twice',
    [wrote(10)],
    {
      ...stored({ records: twice, events: [event(1), event(2, { subject: 'pay_b' })], documents: [1, 2] }),
    },
  ],
  [
    'doubled write',
    'a payment without an answer is stored twice',
    [wrote(10, { result: 'unknown' })],
    {
      ...stored({ records: twice, events: [event(1), event(2, { subject: 'pay_b' })], documents: [1, 2] }),
    },
  ],
  ['write that nobody asked for', 'a refused write is stored', [wrote(10, { result: 'fail' })], stored()],
  ['write that nobody asked for', 'a stranger is stored', [], stored()],
  ['unreadable write', 'an acknowledged write is not found', [wrote(10), read(20, false)], stored()],
  ['missing event', 'a payment has no event', [wrote(10)], stored({ events: [] })],
  ['doubled event', 'a payment has two events', [wrote(10)], stored({ events: [event(1), event(2)] })],
  [
    'event of a wrong type',
    'a payment that nobody cancelled has such an event too',
    [wrote(10)],
    stored({ events: [event(1), event(2, { type: 'payment.cancelled' })] }),
  ],
  [
    'event of a wrong type',
    'a lead has an event',
    [wrote(10, { kind: 'lead' })],
    { ...stored({ records: [{ kind: 'lead', id: 'pay_a', name: 'a' }] }), documents: [] },
  ],
  ['gap in the feed', 'a place of the feed is empty', [wrote(10)], stored({ events: [event(2)] })],
  ['gap in the documents', 'a number is left out', [wrote(10)], stored({ documents: [2] })],
  ['write without audit', 'a write is not in the audit log', [wrote(10)], stored({ audited: new Set() })],
  [
    'write without audit',
    'a lead is not in the audit log',
    [wrote(10, { kind: 'lead' })],
    { ...nothing, records: [{ kind: 'lead', id: 'pay_a', name: 'a' }] },
  ],
  ['missing delivery', 'an event was never sent', [subscribed(0), wrote(10)], stored()],
  [
    'missing delivery',
    'one of two subscriptions got nothing',
    [subscribed(0), subscribed(0, 'b'), wrote(10), delivered(20)],
    stored(),
  ],
  [
    'missing delivery',
    'a later subscription got nothing of a later write',
    [wrote(0, { name: 'b', result: 'fail' }), subscribed(5), wrote(20)],
    stored(),
  ],
  [
    'wrong delivery',
    'an event that is not stored was sent',
    [subscribed(0), wrote(10), delivered(20), delivered(20, { event: 'x' })],
    stored(),
  ],
  [
    'wrong delivery',
    'an event was sent under another type than its own',
    [subscribed(0), wrote(10), delivered(20, { type: 'payment.cancelled' })],
    stored(),
  ],
  [
    'wrong delivery',
    'a type that is not wanted was sent',
    [subscribed(0, 'all', ['patient.created']), wrote(10), delivered(20)],
    stored(),
  ],
  [
    'delivery after the end',
    'an ended subscription got something',
    [subscribed(0), wrote(10), ended(20), delivered(26 + LATEST_START_MS)],
    stored(),
  ],
  ['accepted revoked key', 'a revoked key was accepted', [revoked(10), used(16, true)], nothing],
  ['row missed by a walk', 'a walk left out a row', [wrote(10), walked(30)], stored()],
  ['row repeated by a walk', 'a walk saw a row twice', [wrote(10), walked(30, 'pay_a', 'pay_a')], stored()],
  ['wrong answer', 'an answer was wrong', [{ entry: 'wrong answer', at: 1, text: '500' }], nothing],
]

for (const [kind, name, history, state] of WRONG)
  test(`it is found that ${name}: ${kind}`, () =>
    assert.deepEqual(
      checkHistory(history, state).map((violation) => violation.kind),
      [kind],
    ))

test('it is found that a keyed request was acknowledged with two ids, although only one of them is stored', () => {
  const history = [wrote(10), wrote(20, { id: 'pay_b' })]
  const [doubled, lost, ...others] = checkHistory(history, stored())
  assert.deepEqual(doubled, { kind: 'doubled write', text: 'payment a: pay_a, pay_b' })
  assert.deepEqual(lost, { kind: 'lost write', text: 'payment a: pay_b' })
  assert.deepEqual(others, [])
})
