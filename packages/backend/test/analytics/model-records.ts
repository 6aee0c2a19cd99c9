// What the datasets are made of, told in plain loops: the records of each, with their dimensions, and its measures over some
// of them.
import type { DatasetName, DimensionName, MeasureName } from '@clinic-data/contract/analytics/datasets'
import { opens, wallMinutes } from '../availability-model.ts'
import { EDGE_DAYS, type ModelClinic } from './model-clinic.ts'

export type Value = string | number | boolean | null
export type Fields = Readonly<Record<string, Value | Value[]>>

/** A record's dimensions by name (all values of one that has several), its day, and what measures need. */
export interface ModelRecord<N extends DatasetName = DatasetName> {
  day: string | null
  dimensions: Readonly<Record<DimensionName<N>, Value | Value[]>>
  fields: Fields
}

export interface ModelDataset<N extends DatasetName = DatasetName> {
  records: (clinic: ModelClinic, today: string) => ModelRecord<N>[]
  measures: Readonly<Record<MeasureName<N>, (records: readonly ModelRecord[]) => number | null>>
}

type Records = readonly ModelRecord[]

const only = (records: Records, ...wanted: [field: string, value: Value][]) =>
  records.filter(({ fields }) => wanted.every(([field, value]) => fields[field] === value))
const known = (records: Records, field: string) =>
  records.flatMap(({ fields }) => (fields[field] === null ? [] : Number(fields[field])))
const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
const different = (records: Records, field: string) =>
  new Set(records.flatMap(({ fields }) => (fields[field] === null ? [] : String(fields[field])))).size

/** Half away from zero, exactly: of whole numbers. */
function quotient(numerator: number, denominator: number): number | null {
  if (denominator === 0) return null
  const [a, b] = [BigInt(Math.abs(numerator)) * 200n, BigInt(denominator)]
  const hundredths = Number((a + b) / (2n * b)) * Math.sign(numerator)
  return hundredths === 0 ? 0 : hundredths / 100
}

const mean = (numbers: readonly number[], unit = 1) => quotient(total(numbers), unit * numbers.length)
const rate = (part: Records, whole: Records) => quotient(part.length * 100, whole.length)

export function localDay(instant: number | null, timeZone: string): string | null {
  return instant === null ? null : (localParts(instant, timeZone)[0] ?? null)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function localParts(instant: number, timeZone: string): [day: string, hour: number] {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
    })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return [`${parts.year}-${parts.month}-${parts.day}`, Number(parts.hour)]
}

const hourOf = (instant: number | null, timeZone: string) =>
  instant === null ? null : localParts(instant, timeZone)[1]
const weekdayOf = (day: string | null) => (day === null ? null : new Date(`${day}T00:00:00Z`).getUTCDay())

function ageOn(today: string, birth: string | null): number | null {
  if (birth === null || birth > today) return null
  return Number(today.slice(0, 4)) - Number(birth.slice(0, 4)) - (today.slice(5) < birth.slice(5) ? 1 : 0)
}

function bandOf(age: number | null): string | null {
  if (age === null) return null
  return age < 18 ? '0-17' : age < 30 ? '18-29' : age < 45 ? '30-44' : age < 65 ? '45-64' : '65+'
}

/** Of the clinic's statuses `s0` to `s5`. */
export const kinds = ['booked', 'confirmed', 'arrived', 'completed', 'cancelled', 'no_show'] as const
const kindOf = (status: string | null) => (status === null ? null : (kinds[Number(status.slice(1))] ?? null))

function patientOf(clinic: ModelClinic, patient_id: string | null) {
  return patient_id === null ? undefined : clinic.patients[Number(patient_id.slice(1))]
}

const production: ModelDataset<'production'> = {
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

const treatments: ModelDataset<'treatments'> = {
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

const appointments: ModelDataset<'appointments'> = {
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

/** In the order of their places, as text. */
export const appointmentId = (at: number) => `a${String(at).padStart(2, '0')}`

const payments: ModelDataset<'payments'> = {
  records: (clinic) =>
    clinic.payments
      .filter(({ status }) => status === 'recorded')
      .map((row) => ({
        day: localDay(row.paid_at, clinic.time_zone),
        dimensions: {
          method: row.method_type,
          billing_account: row.billing_account_id,
          currency: row.currency,
          is_refund: row.is_refund,
          payment_date: localDay(row.paid_at, clinic.time_zone),
        },
        fields: { is_refund: row.is_refund, amount: row.amount_minor, patient_id: row.patient_id },
      })),
  measures: {
    amount_collected: (records) => quotient(total(known(only(records, ['is_refund', false]), 'amount')), 100),
    amount_refunded: (records) => quotient(total(known(only(records, ['is_refund', true]), 'amount')), 100),
    net_collected: (records) => {
      const [paid, back] = [false, true].map((is) => total(known(only(records, ['is_refund', is]), 'amount')))
      return quotient((paid ?? 0) - (back ?? 0), 100)
    },
    avg_payment: (records) => mean(known(only(records, ['is_refund', false]), 'amount'), 100),
    payment_count: (records) => only(records, ['is_refund', false]).length,
    refund_count: (records) => only(records, ['is_refund', true]).length,
    paying_patient_count: (records) => different(only(records, ['is_refund', false]), 'patient_id'),
  },
}

const patients: ModelDataset<'patients'> = {
  records: (clinic, today) =>
    clinic.patients.map((row) => {
      const day = localDay(row.created_at, clinic.time_zone)
      const age = ageOn(today, row.birth_date)
      return {
        day,
        dimensions: { status: row.status_id, gender: row.gender, age_band: bandOf(age), created_date: day },
        fields: { phone: row.phone, email: row.email, age },
      }
    }),
  measures: {
    patient_count: (records) => records.length,
    with_phone_count: (records) => records.length - only(records, ['phone', null]).length,
    with_email_count: (records) => records.length - only(records, ['email', null]).length,
    avg_age: (records) => mean(known(records, 'age')),
  },
}

const leads: ModelDataset<'leads'> = {
  records: (clinic) =>
    clinic.leads.map((row) => {
      const day = localDay(row.created_at, clinic.time_zone)
      const told = (name: keyof NonNullable<typeof row.attribution>) =>
        row.attribution === null ? null : String(row.attribution[name])
      const lasted = row.converted_at === null ? -1 : row.converted_at - row.created_at
      return {
        day,
        dimensions: {
          source: row.source,
          status: row.status,
          utm_source: told('utm_source'),
          utm_medium: told('utm_medium'),
          utm_campaign: told('utm_campaign'),
          campaign_name: told('campaign_name'),
          created_date: day,
        },
        fields: { status: row.status, lasted: row.status === 'converted' && lasted >= 0 ? lasted : null },
      }
    }),
  measures: {
    lead_count: (records) => records.length,
    converted_count: (records) => only(records, ['status', 'converted']).length,
    lost_count: (records) => only(records, ['status', 'lost']).length,
    conversion_rate: (records) => rate(only(records, ['status', 'converted']), records),
    avg_days_to_convert: (records) => mean(known(records, 'lasted'), 86_400_000),
  },
}

const calls: ModelDataset<'calls'> = {
  records: (clinic) =>
    clinic.calls.map((row) => {
      const day = localDay(row.started_at, clinic.time_zone)
      const { direction, status, duration_seconds, ring_seconds, hasRecording, transcript_status } = row
      return {
        day,
        dimensions: {
          direction,
          outcome: status,
          branch: row.branch_id,
          agent: row.agent,
          transcript_status,
          weekday: weekdayOf(day),
          hour_of_day: hourOf(row.started_at, clinic.time_zone),
          started_date: day,
        },
        fields: {
          direction,
          status,
          phone: row.phone,
          duration_seconds,
          ring_seconds,
          hasRecording,
          transcript_status,
        },
      }
    }),
  measures: {
    call_count: (records) => records.length,
    answered_count: (records) => only(records, ['status', 'answered']).length,
    missed_count: (records) => only(records, ['status', 'missed']).length,
    recorded_count: (records) => only(records, ['hasRecording', true]).length,
    transcribed_count: (records) => only(records, ['transcript_status', 'completed']).length,
    answer_rate: (records) => {
      const inbound = only(records, ['direction', 'inbound'])
      return rate(only(inbound, ['status', 'answered']), inbound)
    },
    talk_time: (records) => total(known(records, 'duration_seconds')),
    avg_talk_time: (records) => mean(known(only(records, ['status', 'answered']), 'duration_seconds')),
    avg_wait_time: (records) => mean(known(only(records, ['direction', 'inbound']), 'ring_seconds')),
    caller_count: (records) => different(only(records, ['direction', 'inbound']), 'phone'),
  },
}

const chat: ModelDataset<'chat'> = {
  records: (clinic) =>
    clinic.messages.map((row) => {
      const { direction, type, template } = row
      const status = direction === 'inbound' ? 'received' : row.progress
      const day = localDay(row.created_at, clinic.time_zone)
      const hour_of_day = hourOf(row.created_at, clinic.time_zone)
      return {
        day,
        dimensions: { direction, type, status, template, hour_of_day, created_date: day },
        fields: { direction, status, conversation_id: row.conversation_id },
      }
    }),
  measures: {
    message_count: (records) => records.length,
    inbound_count: (records) => only(records, ['direction', 'inbound']).length,
    outbound_count: (records) => only(records, ['direction', 'outbound']).length,
    delivered_count: (records) => delivered(records).length,
    read_count: (records) => only(records, ['status', 'read']).length,
    failed_count: (records) => only(records, ['status', 'failed']).length,
    conversation_count: (records) => different(records, 'conversation_id'),
    delivery_rate: (records) => rate(delivered(records), pastQueue(records)),
    read_rate: (records) => rate(only(records, ['status', 'read']), pastQueue(records)),
  },
}

const delivered = (records: Records) => [
  ...only(records, ['status', 'delivered']),
  ...only(records, ['status', 'read']),
]
const pastQueue = (records: Records) =>
  only(records, ['direction', 'outbound']).filter(({ fields }) => fields.status !== 'queued')

const QUARTER = 15
const MINUTE_MS = 60_000

const utilization: ModelDataset<'utilization'> = {
  records: (clinic) => {
    const epoch = Date.parse(`${clinic.first}T00:00:00Z`) - 2 * 86_400_000
    const wall = wallMinutes(clinic.time_zone, epoch, (EDGE_DAYS + 11) * 1440)
    const covers = (from: number, to: number, at: number) => at >= from && at < to
    const found = new Map<string, { open: number; booked: number }>()
    for (let minute = 0; minute < wall.length; minute += QUARTER) {
      const day = wall[minute]?.day
      // The days at both ends are not whole.
      if (day === undefined || day === wall[0]?.day || day === wall.at(-1)?.day) continue
      const at = epoch + minute * MINUTE_MS
      for (const provider of ['r0', 'r1']) {
        const isBusy = clinic.appointments.some(
          ({ provider_ids, start, length, status_id }) =>
            provider_ids.includes(provider) &&
            kindOf(status_id) !== 'cancelled' &&
            start !== null &&
            length !== null &&
            covers(start, start + length, at),
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

export const modelDatasets: { readonly [N in DatasetName]: ModelDataset<N> } = {
  ...{ treatments, production, appointments, payments, patients, leads, calls, chat, utilization },
}
