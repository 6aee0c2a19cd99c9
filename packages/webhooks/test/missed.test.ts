// Why an event made no delivery, by how the subscription was set then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MissedReason, type Settings, whyMissed } from '../src/deliveries/missed.ts'
import { type FormerSubscription, MOST_FORMER } from '../src/subscriptions/former-subscription.ts'

/** A minute of the day on which all of this happens. */
const minute = (number: number) => new Date(Date.UTC(2026, 6, 12, 0, number)).toISOString()
const ms = (number: number) => Date.parse(minute(number))

type Setting = Omit<FormerSubscription, 'until' | 'subscription_id'>
const wanting = (...event_types: Setting['event_types']): Setting => ({
  event_types,
  enabled: true,
  is_paused: false,
  disabled_at: null,
  stopped_at: null,
})
const everything = wanting()
const pausedAt = (at: number): Setting => ({ ...everything, enabled: false, is_paused: true, disabled_at: minute(at) })
const stoppedAt = (at: number): Setting => ({ ...pausedAt(at), stopped_at: minute(at) })
const disabledAt = (at: number): Setting => ({ ...pausedAt(at), is_paused: false })

interface Life {
  /** Each until its minute. */
  before?: readonly (readonly [until: number, setting: Setting])[]
  now: Setting
  kept_since?: number
}

/** Made at minute 10. */
function settings({ before = [], now, kept_since = 10 }: Life): Settings {
  const former = before.map(([until, setting]) => ({ ...setting, subscription_id: 'wh_1', until: minute(until) }))
  return { ...now, created_at: minute(10), kept_since: minute(kept_since), former }
}

function missed(life: Life, at: number) {
  const { reason, since, until } = whyMissed({ type: 'appointment.created', created_at: minute(at) }, settings(life))
  return [reason, since, until]
}

test('each reason is told with its beginning and its end, and none that holds no more', () => {
  const told: [life: Life, at: number, reason: MissedReason, since: number | null, until: number | null][] = [
    [{ now: everything }, 9, 'not_there', null, 10],
    [{ now: wanting('payment.recorded') }, 20, 'not_subscribed', null, null],
    [{ before: [[30, wanting('payment.recorded')]], now: everything }, 20, 'not_subscribed', null, 30],
    // It was stopped meanwhile, and wanted the event no more than before and after.
    [
      {
        now: wanting('payment.recorded'),
        before: [
          [30, wanting('payment.recorded')],
          [40, { ...stoppedAt(30), event_types: ['payment.recorded'] }],
        ],
      },
      20,
      'not_subscribed',
      null,
      null,
    ],
    [{ now: pausedAt(15), before: [[15, everything]] }, 20, 'paused', 15, null],
    [{ now: stoppedAt(15), before: [[15, everything]] }, 20, 'stopped', 15, null],
    [{ now: disabledAt(15), before: [[15, everything]] }, 20, 'disabled', 15, null],
    // It ended while its integration was stopped.
    [
      {
        now: { ...disabledAt(15), stopped_at: minute(15) },
        before: [
          [15, everything],
          [25, stoppedAt(15)],
        ],
      },
      30,
      'disabled',
      15,
      null,
    ],
    // A pause that is over, and one that began after the event.
    [
      {
        now: everything,
        before: [
          [15, everything],
          [30, pausedAt(15)],
        ],
      },
      20,
      'paused',
      15,
      30,
    ],
    [{ now: pausedAt(30), before: [[30, everything]] }, 20, 'unknown', null, null],
    // Its kinds were changed while it was paused: the pause goes on.
    [
      {
        now: everything,
        before: [
          [15, everything],
          [25, pausedAt(15)],
          [30, { ...pausedAt(15), event_types: ['call.updated'] }],
        ],
      },
      20,
      'paused',
      15,
      30,
    ],
    [{ now: everything }, 20, 'unknown', null, null],
  ]
  for (const [life, at, reason, since, until] of told) {
    const instants = [since, until].map((one) => (one === null ? null : ms(one)))
    assert.deepEqual(missed(life, at), [reason, ...instants], JSON.stringify({ life, at }))
  }
})

test('an event and a change of one moment are told of each other, and those of different moments are not', () => {
  const change = { before: [[20, everything]] as const, now: pausedAt(20) }
  const at = (seconds: number) => {
    const created_at = new Date(ms(20) + seconds * 1000).toISOString()
    return whyMissed({ type: 'appointment.created', created_at }, settings(change)).reason
  }
  assert.deepEqual([-11, -9, 0, 9].map(at), ['unknown', 'paused', 'paused', 'paused'])
  const resumed = settings({
    before: [
      [15, everything],
      [20, pausedAt(15)],
    ],
    now: everything,
  })
  const after = (seconds: number) =>
    whyMissed({ type: 'appointment.created', created_at: new Date(ms(20) + seconds * 1000).toISOString() }, resumed)
      .reason
  assert.deepEqual([9, 11].map(after), ['paused', 'unknown'])
})

test('of times whose changes are not kept nothing is told', () => {
  const life = { before: [[40, wanting('payment.recorded')]] as const, now: everything, kept_since: 30 }
  assert.deepEqual(
    [20, 35].map((at) => missed(life, at)[0]),
    ['unknown', 'not_subscribed'],
  )
  const many = Array.from({ length: MOST_FORMER }, (_, n) => [20 + n, wanting('payment.recorded')] as const)
  const before = (length: number) => ({ before: many.slice(0, length), now: everything })
  assert.equal(missed(before(MOST_FORMER), 15)[0], 'unknown')
  assert.equal(missed(before(MOST_FORMER), 21)[0], 'not_subscribed')
  assert.equal(missed(before(MOST_FORMER - 1), 15)[0], 'not_subscribed')
})

test('a pause that a version without this memory has made counts from its own time', () => {
  const life = { before: [[40, pausedAt(30)]] as const, now: everything }
  assert.deepEqual(
    [20, 35].map((at) => missed(life, at)[0]),
    ['unknown', 'paused'],
  )
})
