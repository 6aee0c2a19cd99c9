// The chapters of the ingest API's document, in its order.

export const ingestTags = {
  Catalog: 'Reference data: what everything else names. To be stored first.',
  'Working hours': 'When providers work and when they are off: what availability is computed from.',
  Patients: 'Patients with every phone and email they have.',
  Appointments: 'Visits: booked, moved, cancelled.',
  Treatments: 'What was done for patients.',
  Payments: 'Payments, refunds, and the documents that are issued for them.',
  Leads: 'What becomes of the people whom integrations have captured.',
  Calls: "The exchange's calls: their end, notes, recordings and transcripts.",
  Chat: 'Messages with patients, as the messaging platform and the staff tell of them.',
  Files: 'Recordings, media and documents, as they are.',
  Settings: "The clinic's own settings.",
} as const

export type IngestTag = keyof typeof ingestTags
