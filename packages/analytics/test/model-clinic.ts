// A small clinic with random content around an edge of the calendar: the model's input, and the stored data.
import type { Clinic } from '@clinic-data/contract'
import { callDirections, callStatuses, transcriptStatuses } from '@clinic-data/contract/resources/call'
import { leadSources, leadStatuses } from '@clinic-data/contract/resources/lead'
import fc from 'fast-check'

/** The first of ten days. These contain clock changes in both directions, a new year, or a leap day. */
const edges = [
  ['Asia/Jerusalem', '2026-03-22'],
  ['Asia/Jerusalem', '2026-10-19'],
  ['Asia/Jerusalem', '2025-12-26'],
  ['America/New_York', '2026-03-04'],
  ['America/New_York', '2026-10-28'],
  ['Pacific/Auckland', '2024-02-24'],
  // Midnight itself is skipped, or comes twice.
  ['America/Santiago', '2026-09-02'],
  ['America/Havana', '2026-10-28'],
] as const

export const EDGE_DAYS = 10
const DAY_MS = 86_400_000
const QUARTER_MS = 900_000

export type ModelClinic = ReturnType<typeof rowsOf> extends fc.Arbitrary<infer C> ? C : never

export const modelClinic = fc
  .record({ edge: fc.constantFrom(...edges), week_start: fc.constantFrom(0, 1) })
  .chain(({ edge: [time_zone, first], week_start }) => rowsOf(time_zone, first, week_start as Clinic['week_start']))

const id = (prefix: string, most: number) => fc.nat(most - 1).map((n) => `${prefix}${n}`)
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 5 })
const often = fc.integer({ min: 1, max: 4 }).map((n) => n > 1)

function rowsOf(time_zone: string, first: string, week_start: Clinic['week_start']) {
  const start = Date.parse(`${first}T00:00:00Z`)
  /** Usually within the ten days, sometimes a year or more before. */
  const instant = fc
    .tuple(fc.nat(EDGE_DAYS * 96), fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 400, 1500), fc.constantFrom(0, 0, 1, 899))
    .map(([quarters, days, seconds]) => start + quarters * QUARTER_MS - days * DAY_MS + seconds * 1000)
  const quarter = fc.nat(EDGE_DAYS * 96).map((quarters) => start + quarters * QUARTER_MS)
  const length = fc.integer({ min: 0, max: 40 }).map((quarters) => quarters * QUARTER_MS)
  const list = <T>(row: fc.Arbitrary<T>, maxLength: number) => fc.array(row, { maxLength, size: 'max' })
  const patient_id = sometimes(id('p', 4))
  return fc.record({
    time_zone: fc.constant(time_zone),
    first: fc.constant(first),
    week_start: fc.constant(week_start),
    categories: fc.tuple(...[0, 1, 2].map(() => sometimes(id('category', 2)))),
    patients: fc.tuple(
      ...[0, 1, 2, 3].map(() =>
        fc.record({
          gender: fc.option(fc.constantFrom('male' as const, 'female' as const)),
          birth_date: fc.option(fc.constantFrom(...birthDates)),
          status_id: sometimes(id('status', 2)),
          phone: fc.option(fc.constant('0501234567')),
          email: fc.option(fc.constant('a@example.com')),
          created_at: instant,
        }),
      ),
    ),
    treatments: list(
      fc.record({
        patient_id,
        catalog_treatment_id: sometimes(id('menu', 3)),
        provider_id: sometimes(id('r', 3)),
        branch_id: sometimes(id('b', 2)),
        plan_id: fc.option(id('plan', 2)),
        quantity: fc.nat(3),
        price_minor: sometimes(fc.integer({ min: -20_000, max: 20_000 })),
        discount_minor: fc.nat(999),
        performed_at: sometimes(instant),
        created_at: instant,
        isRemoved: often.map((is) => !is),
      }),
      25,
    ),
    appointments: list(
      fc.record({
        patient_id,
        branch_id: sometimes(id('b', 2)),
        type_id: sometimes(id('type', 2)),
        status_id: sometimes(id('s', 6)),
        provider_ids: fc.uniqueArray(id('r', 3), { maxLength: 3 }),
        start: sometimes(quarter),
        length: sometimes(length),
        created_at: instant,
      }),
      25,
    ),
    payments: list(
      fc.record({
        patient_id,
        billing_account_id: sometimes(id('account', 2)),
        amount_minor: fc.integer({ min: 1, max: 50_000 }),
        currency: fc.constantFrom('ILS', 'ILS', 'EUR'),
        method_type: fc.constantFrom('cash' as const, 'credit_card' as const),
        is_refund: fc.boolean(),
        status: fc.constantFrom('recorded' as const, 'recorded' as const, 'cancelled' as const),
        paid_at: sometimes(instant),
      }),
      25,
    ),
    leads: list(
      fc.record({
        source: fc.constantFrom(...leadSources.slice(0, 3)),
        status: fc.constantFrom(...leadStatuses),
        attribution: fc.option(
          fc.record({
            utm_source: fc.constantFrom('google', 'meta'),
            utm_medium: fc.constantFrom('cpc', true, 7),
            utm_campaign: fc.constantFrom('חורף', 'summer'),
            campaign_name: fc.constantFrom('A', 'a'),
          }),
        ),
        converted_at: fc.option(instant),
        created_at: instant,
      }),
      20,
    ),
    calls: list(
      fc.record({
        direction: fc.constantFrom(...callDirections),
        status: fc.constantFrom(...callStatuses),
        branch_id: sometimes(id('b', 2)),
        agent: sometimes(id('agent', 3)),
        phone: sometimes(fc.constantFrom('+972501111111', '+972502222222', '+972503333333')),
        started_at: sometimes(instant),
        duration_seconds: fc.nat(600),
        ring_seconds: fc.nat(60),
        hasRecording: fc.boolean(),
        transcript_status: fc.option(fc.constantFrom(...transcriptStatuses)),
      }),
      25,
    ),
    messages: list(
      fc.record({
        direction: fc.constantFrom('inbound' as const, 'outbound' as const),
        conversation_id: sometimes(id('v', 3)),
        type: fc.constantFrom('text' as const, 'image' as const),
        progress: fc.constantFrom('queued', 'sent', 'delivered', 'read', 'failed'),
        template: fc.option(fc.constantFrom('reminder', 'Reminder')),
        created_at: instant,
      }),
      25,
    ),
    hours: fc.uniqueArray(
      fc.record({
        provider_id: id('r', 2),
        branch_id: id('b', 2),
        weekday: fc.nat(6),
        window: fc
          .tuple(fc.nat(80), fc.integer({ min: 1, max: 30 }))
          .map(([opens, length]) => ({ opens: opens * 15, closes: Math.min(opens + length, 96) * 15 })),
      }),
      { maxLength: 14, selector: (h) => `${h.provider_id} ${h.branch_id} ${h.weekday} ${h.window.opens}` },
    ),
    off: list(
      fc.record({
        provider_id: fc.option(id('r', 2)),
        branch_id: fc.option(id('b', 2)),
        start: quarter,
        length: length.map((ms) => ms + QUARTER_MS),
      }),
      3,
    ),
  })
}

/** Birth dates around the limits of the age bands on the days of the queries. */
const birthDates = [
  '2008-03-26',
  '2008-03-27',
  '1996-02-29',
  '1981-10-25',
  '1961-01-01',
  '1930-06-15',
  '2025-12-31',
  '2027-01-01',
]
