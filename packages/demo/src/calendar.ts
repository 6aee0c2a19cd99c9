// The demo clinic's appointments, day by day and provider by provider, with their outcomes.

import { AppointmentRecord } from '@clinic-data/records/appointments'
import { complete } from '@clinic-data/records/storing/complete-record'
import { AHEAD_DAYS, type ClinicPlan, drawFor, PAST_DAYS } from './clinic-plan.ts'
import { EXAMPLE_PATIENT, type ExampleVisit, exampleVisit } from './examples/story.ts'
import { instantText, weekdayOf } from './local-days.ts'
import { patientId, patientsBy, registrationDay } from './patients.ts'
import type { Random } from './random.ts'
import { branchId, providerId, VISIT_KINDS, type VisitKind } from './reference-data.ts'
import { isOff, openMinutesAWeek, type Window, weekOf } from './working-week.ts'

/** An appointment, with the basis for the treatments and payments of a completed one. */
export type Visit = {
  record: AppointmentRecord
  kind: VisitKind
  patient: number
  /** The random numbers of this visit. */
  number: number
  branch: number
  endsAt: number
  completed: boolean
  /** The visit of the documentation's examples. */
  example?: ExampleVisit
}

/** A provider's next visit begins after a multiple of this. */
const GAP_MINUTES = 15
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** The share of the open time in which no visit can begin: holidays, ends of shifts, and the empty days far ahead. */
const LOST_SHARE = 0.14

/** A real day has gaps. */
const FULLEST = 0.92

const meanMinutes =
  VISIT_KINDS.reduce((sum, { weight, duration_minutes }) => sum + weight * duration_minutes, 0) /
  VISIT_KINDS.reduce((sum, { weight }) => sum + weight, 0)

const weightedKinds = VISIT_KINDS.map((kind) => [kind, kind.weight] as const)

export class Calendar {
  readonly #plan: ClinicPlan
  readonly #weeks: Window[][]
  readonly #density: number
  readonly #example: ExampleVisit | null

  /** @param hasExample whether the visit of the examples is among the days: only the first filling has it. */
  constructor(plan: ClinicPlan, hasExample = false) {
    this.#plan = plan
    this.#example = hasExample ? exampleVisit(plan, (day) => isOff(plan, EXAMPLE_PROVIDER, day)) : null
    this.#weeks = Array.from({ length: plan.providers }, (_, provider) => weekOf(plan, provider))
    const open = (openMinutesAWeek(plan) / 7) * (PAST_DAYS + AHEAD_DAYS) * (1 - LOST_SHARE)
    const share = Math.min(FULLEST, (plan.patients * plan.appointments_per_patient * meanMinutes) / open)
    this.#density = density(share)
  }

  /** All visits of one day, by provider. */
  *visitsOf(day: number): Generator<Visit> {
    for (let provider = 0; provider < this.#plan.providers; provider++) yield* this.#visits(day, provider)
  }

  *#visits(day: number, provider: number): Generator<Visit> {
    const plan = this.#plan
    const windows = this.#weeks[provider]?.filter(({ weekday }) => weekday === weekdayOf(day)) ?? []
    if (windows.length === 0 || isOff(plan, provider, day)) return
    const draw = drawFor(plan, 'day', day, provider)
    // Some providers are busier than others, and days far ahead have few visits.
    const demand = this.#density * (0.8 + 0.4 * ((provider * 7) % 5) * 0.25) * fadingAhead(day - plan.today)
    const example = provider === EXAMPLE_PROVIDER && this.#example?.day === day ? this.#example : null
    if (example) yield visitOfExample(plan, example)
    let slot = 0
    for (const { branch, from, to } of example ? windows.flatMap((one) => without(one, example)) : windows) {
      for (let at = from; at < to; ) {
        if (!draw.chance(demand)) {
          at += GAP_MINUTES
          continue
        }
        const kind = draw.weighted(weightedKinds)
        if (at + kind.duration_minutes > to) break
        const assistant = kind.id === 'implant' ? this.#assistant(day, provider) : null
        yield visit(plan, { day, provider, slot: slot++, branch, at, kind, assistant }, draw)
        at += kind.duration_minutes
      }
    }
  }

  /** The next provider, on a free day of hers. She assists nobody else, so she is never in two places. */
  #assistant(day: number, provider: number): number | null {
    const next = (provider + 1) % this.#plan.providers
    const works = this.#weeks[next]?.some(({ weekday }) => weekday === weekdayOf(day)) ?? true
    return works || isOff(this.#plan, next, day) ? null : next
  }
}

/** The parts of a window before and after a time. */
function without(window: Window, { from, to }: { from: number; to: number }): Window[] {
  if (to <= window.from || from >= window.to) return [window]
  return [
    { ...window, to: from },
    { ...window, from: to },
  ].filter((part) => part.from < part.to)
}

/** The first provider, in the first branch. */
const EXAMPLE_PROVIDER = 0

function visitOfExample(plan: ClinicPlan, example: ExampleVisit): Visit {
  const { day, from, to, id, type_id, note } = example
  const kind = VISIT_KINDS.find((one) => one.id === type_id)
  if (kind === undefined) throw new Error(`the demo has no visits of the type ${type_id}`)
  const [startsAt, endsAt] = [plan.days.at(day, from), plan.days.at(day, to)]
  const record = complete(AppointmentRecord, {
    id,
    patient_id: patientId(EXAMPLE_PATIENT),
    branch_id: branchId(0),
    type_id,
    status_id: 'completed',
    note,
    provider_ids: [providerId(EXAMPLE_PROVIDER)],
    start: instantText(startsAt),
    end: instantText(endsAt),
    created_at: instantText(startsAt - 13 * DAY_MS),
    updated_at: instantText(endsAt + 5 * MINUTE_MS),
  })
  return {
    record,
    kind,
    patient: EXAMPLE_PATIENT,
    number: day * 1_000_000,
    branch: 0,
    endsAt,
    completed: true,
    example,
  }
}

/** The chance that a visit begins at a free quarter of an hour, so that visits take up this share of the time. */
function density(share: number): number {
  return (share * GAP_MINUTES) / (meanMinutes * (1 - share) + share * GAP_MINUTES)
}

function fadingAhead(days: number): number {
  return days <= 0 ? 1 : 1 - (0.7 * days) / AHEAD_DAYS
}

type Slot = {
  day: number
  provider: number
  slot: number
  branch: number
  at: number
  kind: VisitKind
  assistant: number | null
}

function visit(plan: ClinicPlan, place: Slot, draw: Random): Visit {
  const { day, provider, slot, branch, at, kind, assistant } = place
  const patient = patientOf(plan, day, provider, draw)
  const startsAt = plan.days.at(day, at)
  const endsAt = startsAt + kind.duration_minutes * MINUTE_MS
  // Booked up to six weeks ahead, not later than the demo's now, and not before the patient registered.
  const bookedBy = Math.min(startsAt, plan.now) - Math.floor(42 * DAY_MS * draw.next() ** 2) - draw.whole(1, 3_599_999)
  const bookedAt = Math.max(bookedBy, plan.days.at(registrationDay(plan, patient), 18 * 60) + draw.whole(0, 3_599_999))
  const { status_id, changedAt } = outcome(plan, startsAt, endsAt, bookedAt, draw)
  const isCancelled = status_id === 'cancelled' || status_id === 'postponed'
  return {
    record: complete(AppointmentRecord, {
      id: `a${day}${String(provider).padStart(4, '0')}${String(slot).padStart(2, '0')}`,
      patient_id: patientId(patient),
      branch_id: branchId(branch),
      type_id: kind.id,
      status_id,
      provider_ids: assistant === null ? [providerId(provider)] : [providerId(provider), providerId(assistant)],
      start: instantText(startsAt),
      end: instantText(endsAt),
      note: draw.chance(0.05) ? draw.pick(NOTES) : null,
      cancelled_at: isCancelled ? instantText(changedAt) : null,
      created_at: instantText(bookedAt),
      updated_at: instantText(changedAt),
    }),
    kind,
    patient,
    number: (day * 10_000 + provider) * 100 + slot,
    branch,
    endsAt,
    completed: status_id === 'completed',
  }
}

const NOTES = [
  'Prefers the morning',
  'מעדיפה שיחה בעברית',
  'Needs an interpreter',
  'Comes with a child',
  'רגישות ללטקס',
  'Call an hour before',
] as const

/** Mostly one of the provider's own patients, more often a recent one, and never before the registration. */
function patientOf(plan: ClinicPlan, day: number, provider: number, draw: Random): number {
  const known = patientsBy(plan, Math.min(day, plan.today))
  const own = Math.floor((known - 1 - provider) / plan.providers) + 1
  const isNew = draw.chance(0.3)
  if (own < 1 || draw.chance(0.15)) return draw.whole(isNew ? Math.floor(known * 0.9) : 0, known - 1)
  return provider + plan.providers * draw.whole(isNew ? Math.floor(own * 0.9) : 0, own - 1)
}

function outcome(plan: ClinicPlan, startsAt: number, endsAt: number, bookedAt: number, draw: Random) {
  const { now } = plan
  const later = (from: number, to: number) =>
    from + Math.floor((Math.max(from, Math.min(to, now)) - from) * draw.next())
  const chance = draw.next()
  if (chance < 0.085) {
    const status_id = chance < 0.005 ? 'postponed' : 'cancelled'
    return { status_id, changedAt: later(bookedAt, startsAt) }
  }
  if (now >= endsAt) {
    const status_id = chance < 0.14 ? 'no-show' : 'completed'
    return { status_id, changedAt: later(endsAt, endsAt + 20 * MINUTE_MS) }
  }
  // Some come early.
  const arrivesAt = startsAt - Math.floor(20 * MINUTE_MS * chance)
  if (now >= arrivesAt) return { status_id: 'arrived', changedAt: Math.max(arrivesAt, bookedAt) }
  // Most are confirmed in the last week before the visit.
  const isConfirmed = startsAt - now < 7 * DAY_MS && chance < 0.7
  return { status_id: isConfirmed ? 'confirmed' : 'booked', changedAt: isConfirmed ? later(bookedAt, now) : bookedAt }
}
