// The names of everything that a question can name, in English. The compiler compares them with the contract's registry.
import type { DatasetName, DimensionName, MeasureName } from '@clinic-data/contract/analytics/datasets'
import type { callDirections, callStatuses, transcriptStatuses } from '@clinic-data/contract/resources/call'
import type { messageStatuses, messageTypes } from '@clinic-data/contract/resources/chat'
import type { leadSources, leadStatuses } from '@clinic-data/contract/resources/lead'
import type { methodTypes } from '@clinic-data/contract/resources/payment'

type OneOf<List extends readonly string[]> = List[number]
type Gender = 'male' | 'female'

export type DatasetWords = {
  readonly [Name in DatasetName]: {
    readonly name: string
    readonly measures: Readonly<Record<MeasureName<Name>, string>>
    readonly dimensions: Readonly<Record<DimensionName<Name>, string>>
  }
}

/** By the dimension: the same value can mean different things. Values that the clinic or an integration wrote have no entry. */
export type ValueWords = {
  readonly method: Readonly<Record<OneOf<typeof methodTypes>, string>>
  readonly source: Readonly<Record<OneOf<typeof leadSources>, string>>
  readonly status: Readonly<Record<OneOf<typeof leadStatuses> | OneOf<typeof messageStatuses>, string>>
  readonly direction: Readonly<Record<OneOf<typeof callDirections>, string>>
  readonly outcome: Readonly<Record<OneOf<typeof callStatuses>, string>>
  readonly transcript_status: Readonly<Record<OneOf<typeof transcriptStatuses>, string>>
  readonly type: Readonly<Record<OneOf<typeof messageTypes>, string>>
  readonly gender: Readonly<Record<Gender, string>>
  readonly patient_gender: Readonly<Record<Gender, string>>
  readonly is_refund: Readonly<Record<'true' | 'false', string>>
}

const genders = { male: 'Male', female: 'Female' }

export const values: ValueWords = {
  method: {
    cash: 'Cash',
    check: 'Cheque',
    credit_card: 'Credit card',
    bank_transfer: 'Bank transfer',
    payment_app: 'Payment app',
    other: 'Other',
  },
  source: {
    social: 'Social networks',
    website: 'Website',
    phone: 'Phone',
    walk_in: 'Walk-in',
    referral: 'Referral',
    bot: 'Bot',
    other: 'Other',
  },
  status: {
    new: 'New',
    in_progress: 'In progress',
    converted: 'Became a patient',
    lost: 'Lost',
    received: 'Received',
    queued: 'Waiting',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Failed',
  },
  direction: { inbound: 'Inbound', outbound: 'Outbound' },
  outcome: { answered: 'Answered', missed: 'Missed', no_answer: 'No answer', voicemail: 'Voicemail' },
  transcript_status: { completed: 'Transcribed', failed: 'Failed' },
  type: {
    text: 'Text',
    image: 'Image',
    document: 'Document',
    audio: 'Audio',
    video: 'Video',
    sticker: 'Sticker',
    contacts: 'Contacts',
  },
  gender: genders,
  patient_gender: genders,
  is_refund: { true: 'Refunds', false: 'Payments' },
}

export const datasets: DatasetWords = {
  treatments: {
    name: 'Treatments by provider',
    measures: { net_revenue: 'Net revenue', treatment_count: 'Treatments' },
    dimensions: { provider: 'Provider', effective_date: 'Date' },
  },
  production: {
    name: 'Treatments and revenue',
    measures: {
      net_revenue: 'Net revenue',
      gross_revenue: 'Revenue before discounts',
      discount_total: 'Discounts',
      avg_net_price: 'Average price',
      treatment_count: 'Treatments',
      quantity: 'Units',
      patient_count: 'Patients treated',
    },
    dimensions: {
      provider: 'Provider',
      branch: 'Branch',
      treatment: 'Procedure',
      treatment_category: 'Category',
      plan: 'Treatment plan',
      patient: 'Patient',
      patient_gender: "Patient's gender",
      patient_age_band: "Patient's age",
      effective_date: 'Date of treatment',
      created_date: 'Date of recording',
    },
  },
  appointments: {
    name: 'Appointments',
    measures: {
      appointment_count: 'Appointments',
      new_patient_count: 'New patients',
      cancelled_count: 'Cancelled',
      no_show_count: 'No-shows',
      completed_count: 'Completed',
      patient_count: 'Patients',
      scheduled_minutes: 'Scheduled time',
      no_show_rate: 'No-show rate',
      cancellation_rate: 'Cancellation rate',
      avg_lead_days: 'Days from booking to visit',
    },
    dimensions: {
      branch: 'Branch',
      provider: 'Provider',
      type: 'Kind of visit',
      status: 'Status',
      patient: 'Patient',
      weekday: 'Day of the week',
      hour_of_day: 'Hour',
      start_date: 'Date of visit',
      created_date: 'Date of booking',
    },
  },
  payments: {
    name: 'Payments',
    measures: {
      amount_collected: 'Collected',
      amount_refunded: 'Refunded',
      net_collected: 'Collected less refunds',
      avg_payment: 'Average payment',
      payment_count: 'Payments',
      refund_count: 'Refunds',
      paying_patient_count: 'Patients who paid',
      other_currency_count: 'In other currencies',
    },
    dimensions: {
      method: 'Method',
      billing_account: 'Receipt book',
      patient: 'Patient',
      currency: 'Currency',
      is_refund: 'Payment or refund',
      payment_date: 'Date',
    },
  },
  patients: {
    name: 'Patients',
    measures: {
      patient_count: 'Patients',
      with_phone_count: 'With a phone',
      with_email_count: 'With an e-mail',
      avg_age: 'Average age',
    },
    dimensions: { status: 'Status', gender: 'Gender', age_band: 'Age', created_date: 'Date of joining' },
  },
  leads: {
    name: 'Leads',
    measures: {
      lead_count: 'Leads',
      converted_count: 'Became patients',
      lost_count: 'Lost',
      conversion_rate: 'Conversion rate',
      avg_days_to_convert: 'Days to conversion',
    },
    dimensions: {
      source: 'Source',
      status: 'Status',
      utm_source: 'Campaign source (utm_source)',
      utm_medium: 'Campaign medium (utm_medium)',
      utm_campaign: 'Campaign (utm_campaign)',
      campaign_name: 'Campaign name',
      created_date: 'Date',
    },
  },
  calls: {
    name: 'Phone calls',
    measures: {
      call_count: 'Calls',
      answered_count: 'Answered',
      missed_count: 'Missed',
      recorded_count: 'Recorded',
      transcribed_count: 'Transcribed',
      answer_rate: 'Answer rate',
      talk_time: 'Talk time',
      avg_talk_time: 'Average talk time',
      avg_wait_time: 'Average wait',
      caller_count: 'Callers',
    },
    dimensions: {
      direction: 'Direction',
      outcome: 'Outcome',
      branch: 'Branch',
      agent: 'Member of staff',
      transcript_status: 'Transcript',
      weekday: 'Day of the week',
      hour_of_day: 'Hour',
      started_date: 'Date',
    },
  },
  chat: {
    name: 'Chat messages',
    measures: {
      message_count: 'Messages',
      inbound_count: 'From patients',
      outbound_count: 'To patients',
      delivered_count: 'Delivered',
      read_count: 'Read',
      failed_count: 'Failed',
      conversation_count: 'Conversations',
      delivery_rate: 'Delivery rate',
      read_rate: 'Read rate',
    },
    dimensions: {
      direction: 'Direction',
      type: 'Kind of message',
      status: 'Status',
      template: 'Template',
      hour_of_day: 'Hour',
      created_date: 'Date',
    },
  },
  utilization: {
    name: 'Working hours',
    measures: {
      open_minutes: 'Working time',
      booked_minutes: 'Booked time',
      free_minutes: 'Free time',
      utilization_rate: 'Booked share',
    },
    dimensions: { provider: 'Provider', branch: 'Branch', weekday: 'Day of the week', work_date: 'Date' },
  },
}
