// A model of payments, patients, leads, calls and chat.
import {
  ageOn,
  bandOf,
  different,
  hourOf,
  known,
  localDay,
  type ModelDataset,
  mean,
  only,
  quotient,
  type Records,
  rate,
  total,
  weekdayOf,
} from './model-record.ts'

/** That of the tests' clinics. */
const CURRENCY = 'ILS'

function amounts(records: Records, by: readonly string[], is_refund: boolean): number[] {
  const oneCurrency = by.includes('currency') ? records : only(records, ['currency', CURRENCY])
  return known(only(oneCurrency, ['is_refund', is_refund]), 'amount')
}

export const payments: ModelDataset<'payments'> = {
  records: (clinic) =>
    clinic.payments
      .filter(({ status }) => status === 'recorded')
      .map((row) => ({
        day: localDay(row.paid_at, clinic.time_zone),
        dimensions: {
          method: row.method_type,
          billing_account: row.billing_account_id,
          patient: row.patient_id,
          currency: row.currency,
          is_refund: row.is_refund,
          payment_date: localDay(row.paid_at, clinic.time_zone),
        },
        fields: {
          is_refund: row.is_refund,
          currency: row.currency,
          amount: row.amount_minor,
          patient_id: row.patient_id,
        },
      })),
  measures: {
    amount_collected: (records, by) => quotient(total(amounts(records, by, false)), 100),
    amount_refunded: (records, by) => quotient(total(amounts(records, by, true)), 100),
    net_collected: (records, by) => {
      return quotient(total(amounts(records, by, false)) - total(amounts(records, by, true)), 100)
    },
    avg_payment: (records, by) => mean(amounts(records, by, false), 100),
    payment_count: (records) => only(records, ['is_refund', false]).length,
    refund_count: (records) => only(records, ['is_refund', true]).length,
    paying_patient_count: (records) => different(only(records, ['is_refund', false]), 'patient_id'),
    other_currency_count: (records) => records.length - only(records, ['currency', CURRENCY]).length,
  },
}

export const patients: ModelDataset<'patients'> = {
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

export const leads: ModelDataset<'leads'> = {
  records: (clinic) =>
    clinic.leads.map((row) => {
      const day = localDay(row.created_at, clinic.time_zone)
      const reported = (name: keyof NonNullable<typeof row.attribution>) =>
        row.attribution === null ? null : String(row.attribution[name])
      const lasted = row.converted_at === null ? -1 : row.converted_at - row.created_at
      return {
        day,
        dimensions: {
          source: row.source,
          status: row.status,
          utm_source: reported('utm_source'),
          utm_medium: reported('utm_medium'),
          utm_campaign: reported('utm_campaign'),
          campaign_name: reported('campaign_name'),
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

export const calls: ModelDataset<'calls'> = {
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

export const chat: ModelDataset<'chat'> = {
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
