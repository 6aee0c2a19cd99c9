// The treatments at the demo clinic's completed visits.

import { complete } from '@clinic-data/records/storing/complete-record'
import { type TreatmentPlanRecord, TreatmentRecord } from '@clinic-data/records/treatments'

import type { Visit } from './calendar.ts'
import { type ClinicPlan, drawFor } from './clinic-plan.ts'
import type { ExampleVisit } from './examples/story.ts'
import { instantText } from './local-days.ts'
import { FIRST_PATIENT_NUMBER } from './patients.ts'
import { CATALOG_TREATMENTS } from './reference-data.ts'

export type Performed = { treatments: TreatmentRecord[]; plan: TreatmentPlanRecord | null; netMinor: number }

const pricesMinor = new Map(CATALOG_TREATMENTS.map(({ id, price }) => [id, hundredthsOf(price ?? 0)]))

const NOTHING: Performed = { treatments: [], plan: null, netMinor: 0 }

export function performed(clinicPlan: ClinicPlan, visit: Visit): Performed {
  if (!visit.completed) return NOTHING
  const { record, kind, patient, number, endsAt } = visit
  if (visit.example) return performedInExample(visit, visit.example)
  const draw = drawFor(clinicPlan, 'visit', number)
  const plan = kind.plan === null ? null : planOf(patient, kind.plan)
  const done = kind.treatments.filter(([, probability]) => probability === 1 || draw.chance(probability))
  const writtenAt = instantText(Math.min(endsAt + draw.whole(0, 1_199_999), clinicPlan.now))
  const treatments = done.map(([catalog_treatment_id], i) => {
    const quantity = catalog_treatment_id === 'filling' && draw.chance(0.25) ? 2 : 1
    const priceMinor = quantity * (pricesMinor.get(catalog_treatment_id) ?? 0)
    const percent = draw.weighted(DISCOUNTS)
    return complete(TreatmentRecord, {
      id: `t${record.id.slice(1)}${i}`,
      patient_id: record.patient_id,
      catalog_treatment_id,
      provider_id: record.provider_ids[0] ?? null,
      branch_id: record.branch_id,
      appointment_id: record.id,
      plan_id: plan?.id ?? null,
      quantity,
      price: majorUnits(priceMinor),
      discount: majorUnits(Math.round((priceMinor * percent) / 100)),
      performed_at: instantText(endsAt),
      created_at: writtenAt,
      updated_at: writtenAt,
    })
  })
  const netMinor = treatments.reduce((sum, { price, discount }) => sum + hundredthsOf((price ?? 0) - discount), 0)
  return { treatments, plan, netMinor }
}

function performedInExample({ record, endsAt }: Visit, { treatment }: ExampleVisit): Performed {
  const [performed_at, writtenAt] = [instantText(endsAt - 300_000), instantText(endsAt - 240_000)]
  const one = complete(TreatmentRecord, {
    ...treatment,
    patient_id: record.patient_id,
    provider_id: record.provider_ids[0] ?? null,
    branch_id: record.branch_id,
    appointment_id: record.id,
    quantity: 1,
    discount: 0,
    performed_at,
    created_at: writtenAt,
    updated_at: writtenAt,
  })
  return { treatments: [one], plan: null, netMinor: hundredthsOf(treatment.price) }
}

/** The demo reckons in whole hundredths: its currency has two decimals. */
export function majorUnits(hundredths: number): number {
  return hundredths / 100
}

function hundredthsOf(major: number): number {
  return Math.round(major * 100)
}

/** In percent. */
const DISCOUNTS = [
  [0, 84],
  [5, 6],
  [10, 7],
  [20, 3],
] as const

function planOf(patient: number, name: string): TreatmentPlanRecord {
  return { id: `plan${patient + FIRST_PATIENT_NUMBER}-${name.slice(0, 2).toLowerCase()}`, name }
}
