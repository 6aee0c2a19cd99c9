// The plan of a demo clinic: the numbers of its branches and providers, its days, its seed.

import { type Clinic, MAX } from '@clinic-data/contract'
import { LocalDays } from './local-days.ts'
import { Random } from './random.ts'

/** The past days of the demo, and the days ahead with booked appointments. */
export const PAST_DAYS = 730
export const AHEAD_DAYS = 28

/** The sizes of the smallest clinic. Larger ones grow so that each provider's days stay as busy. */
const LEAST_BRANCHES = 3
const LEAST_PROVIDERS = 12
const APPOINTMENTS_PER_PROVIDER = 1_700
const PROVIDERS_PER_BRANCH = 40

export type DemoSize = { patients: number; appointments_per_patient: number; seed: number }

export type ClinicPlan = DemoSize & {
  clinic: Clinic
  days: LocalDays
  /** The demo's present, in epoch milliseconds: nothing has happened after it. */
  now: number
  today: number
  firstDay: number
  lastDay: number
  branches: number
  providers: number
}

export function planClinic(clinic: Clinic, now: Date, size: DemoSize): ClinicPlan {
  const days = new LocalDays(clinic.time_zone)
  const today = days.dayOf(now.getTime())
  const needed = Math.round((size.patients * size.appointments_per_patient) / APPOINTMENTS_PER_PROVIDER)
  const providers = Math.min(MAX.catalog, Math.max(LEAST_PROVIDERS, needed))
  return {
    ...size,
    clinic,
    days,
    now: now.getTime(),
    today,
    firstDay: today - PAST_DAYS,
    lastDay: today + AHEAD_DAYS,
    branches: Math.max(LEAST_BRANCHES, Math.ceil(providers / PROVIDERS_PER_BRANCH)),
    providers,
  }
}

/** The purposes of random numbers: each has streams of its own. */
const KINDS = [
  'patient',
  'hours',
  'time_off',
  'day',
  'visit',
  'bill',
  'call',
  'chat',
  'lead',
  'sound',
  'outcome',
] as const

export function drawFor(plan: DemoSize, kind: (typeof KINDS)[number], ...keys: readonly number[]): Random {
  return new Random(plan.seed, KINDS.indexOf(kind), ...keys)
}
