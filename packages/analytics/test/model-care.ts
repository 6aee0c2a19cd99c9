// A model of treatments, appointments and working time.
import { opens, wallMinutes } from '@clinic-data/testing/grounds/availability-model'
import { EDGE_DAYS, type ModelClinic } from './model-clinic.ts'
import {
  ageOn,
  bandOf,
  different,
  hourOf,
  kindOf,
  known,
  localDay,
  type ModelDataset,
  mean,
  only,
  quotient,
  rate,
  total,
  weekdayOf,
} from './model-record.ts'

function patientOf(clinic: ModelClinic, patient_id: string | null) {
  return patient_id === null ? undefined : clinic.patients[Number(patient_id.slice(1))]
}

export const production: ModelDataset<'production'> = {
  records: (clinic, today) =>
    clinic.treatments
      .filter(({ isRemoved }) => !isRemoved)
      .map((t) => {
        const patient = patientOf(clinic, t.patient_id)
        const day = localDay(t.performed_at, clinic.time_zone)
        const { price_minor, discount_minor, quantity, patient_id } = t
        return {
          day,
          dimensions: {
            provider: t.provider_id,
            branch: t.branch_id,
            treatment: t.catalog_treatment_id,
            treatment_category:
              t.catalog_treatment_id === null
                ? null
                : (clinic.categories[Number(t.catalog_treatment_id.slice(4))] ?? null),
            plan: t.plan_id,
            patient: t.patient_id,
            patient_gender: patient?.gender ?? null,
            patient_age_band: bandOf(ageOn(today, patient?.birth_date ?? null)),
            effective_date: day,
            created_date: localDay(t.created_at, clinic.time_zone),
          },
          fields: {
            net: price_minor === null ? null : price_minor - discount_minor,
            gross: price_minor,
            discount: price_minor === null ? null : discount_minor,
            quantity,
            patient_id,
          },
        }
      }),
  measures: {
    net_revenue: (records) => quotient(total(known(records, 'net')), 100),
    gross_revenue: (records) => quotient(total(known(records, 'gross')), 100),
    discount_total: (records) => quotient(total(known(records, 'discount')), 100),
    avg_net_price: (records) => mean(known(records, 'net'), 100),
    treatment_count: (records) => records.length,
    quantity: (records) => total(known(records, 'quantity')),
    patient_count: (records) => different(records, 'patient_id'),
  },
}

export const treatments: ModelDataset<'treatments'> = {
  records: (clinic, today) =>
    production.records(clinic, today).map(({ dimensions: { provider, effective_date }, ...record }) => ({
      ...record,
      dimensions: { provider, effective_date },
    })),
  measures: {
    net_revenue: production.measures.net_revenue,
    treatment_count: production.measures.treatment_count,
  },
}

export const appointments: ModelDataset<'appointments'> = {
  records: (clinic) => {
    const rows = clinic.appointments.map((row, at) => ({ ...row, id: appointmentId(at), kind: kindOf(row.status_id) }))
    const first = new Map<string, (typeof rows)[number]>()
    for (const row of rows) {
      if (row.patient_id === null || row.kind === 'cancelled') continue
      const other = first.get(row.patient_id)
      const [mine, its] = [row.start ?? Number.POSITIVE_INFINITY, other?.start ?? Number.POSITIVE_INFINITY]
      if (!other || mine < its || (mine === its && row.id < other.id)) first.set(row.patient_id, row)
    }
    return rows.map((row) => {
      const day = localDay(row.start, clinic.time_zone)
      const created = localDay(row.created_at, clinic.time_zone)
      const lead = day === null || created === null ? -1 : (Date.parse(day) - Date.parse(created)) / 86_400_000
      const hasLength = row.kind !== 'cancelled' && row.start !== null && row.length !== null
      return {
        day,
        dimensions: {
          branch: row.branch_id,
          provider: row.provider_ids,
          type: row.type_id,
          status: row.status_id,
          patient: row.patient_id,
          weekday: weekdayOf(day),
          hour_of_day: hourOf(row.start, clinic.time_zone),
          start_date: day,
          created_date: created,
        },
        fields: {
          kind: row.kind,
          patient_id: row.patient_id,
          isFirst: row.patient_id !== null && first.get(row.patient_id)?.id === row.id,
          seconds: hasLength ? (row.length ?? 0) / 1000 : null,
          lead: lead < 0 ? null : lead,
        },
      }
    })
  },
  measures: {
    appointment_count: (records) => records.length,
    new_patient_count: (records) => only(records, ['isFirst', true]).length,
    cancelled_count: (records) => only(records, ['kind', 'cancelled']).length,
    no_show_count: (records) => only(records, ['kind', 'no_show']).length,
    completed_count: (records) => only(records, ['kind', 'completed']).length,
    patient_count: (records) => different(records, 'patient_id'),
    scheduled_minutes: (records) => quotient(total(known(records, 'seconds')), 60),
    no_show_rate: (records) => {
      const missed = only(records, ['kind', 'no_show'])
      return rate(missed, [...missed, ...only(records, ['kind', 'completed'])])
    },
    cancellation_rate: (records) => rate(only(records, ['kind', 'cancelled']), records),
    avg_lead_days: (records) => mean(known(records, 'lead')),
  },
}

/** Ids that sort as text in the order of the appointments. */
export const appointmentId = (at: number) => `a${String(at).padStart(2, '0')}`

const QUARTER = 15
const MINUTE_MS = 60_000
/** The length of an appointment without an end, in milliseconds: its type's, or else a test clinic's shortest visit. */
const estimatedLength = (type_id: string | null) =>
  (typeMinutes[Number(type_id?.slice('type'.length))] || 15) * MINUTE_MS
/** The second type gives no duration. */
export const typeMinutes = [45, 0]

export const utilization: ModelDataset<'utilization'> = {
  records: (clinic) => {
    const epoch = Date.parse(`${clinic.first}T00:00:00Z`) - 2 * 86_400_000
    const wall = wallMinutes(clinic.time_zone, epoch, (EDGE_DAYS + 11) * 1440)
    const covers = (from: number, to: number, at: number) => at >= from && at < to
    const found = new Map<string, { open: number; booked: number }>()
    for (let minute = 0; minute < wall.length; minute += QUARTER) {
      const day = wall[minute]?.day
      // The first and the last day are incomplete.
      if (day === undefined || day === wall[0]?.day || day === wall.at(-1)?.day) continue
      const at = epoch + minute * MINUTE_MS
      for (const provider of ['r0', 'r1']) {
        const isBusy = clinic.appointments.some(
          ({ provider_ids, start, length, type_id, status_id }) =>
            provider_ids.includes(provider) &&
            kindOf(status_id) !== 'cancelled' &&
            start !== null &&
            covers(start, start + (length ?? estimatedLength(type_id)), at),
        )
        for (const branch of ['b0', 'b1']) {
          const works = clinic.hours.some(
            (hours) => hours.provider_id === provider && hours.branch_id === branch && opens(hours, wall, minute),
          )
          const isOff = clinic.off.some(
            ({ provider_id, branch_id, start, length }) =>
              [null, provider].includes(provider_id) &&
              [null, branch].includes(branch_id) &&
              covers(start, start + length, at),
          )
          if (!works || isOff) continue
          const key = JSON.stringify([day, provider, branch])
          const worked = found.get(key) ?? { open: 0, booked: 0 }
          found.set(key, { open: worked.open + QUARTER, booked: worked.booked + (isBusy ? QUARTER : 0) })
        }
      }
    }
    return [...found].map(([key, fields]) => {
      const [day, provider, branch] = JSON.parse(key) as [string, string, string]
      return { day, dimensions: { provider, branch, weekday: weekdayOf(day), work_date: day }, fields: { ...fields } }
    })
  },
  measures: {
    open_minutes: (records) => total(known(records, 'open')),
    booked_minutes: (records) => total(known(records, 'booked')),
    free_minutes: (records) => total(known(records, 'open')) - total(known(records, 'booked')),
    utilization_rate: (records) => quotient(total(known(records, 'booked')) * 100, total(known(records, 'open'))),
  },
}
