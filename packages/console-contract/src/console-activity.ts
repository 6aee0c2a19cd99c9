// Describes what the console shows of the audit log: who read and changed what, and how much each key is used.
import { MAX } from '@clinic-data/contract/limits'
import {
  about,
  choice,
  Id,
  Instant,
  list,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  whole,
} from '@clinic-data/contract/schema'

export const ACTIVITY_PAGE = { default: 50, most: 200 } as const

/** The list of names has at most so many. */
export const ACTORS = 2_000

/** The longest usage by key: the clinic's keys and tokens that were used. */
const USED_KEYS = 2_000

/** A day by hour, or a week or a month by the clinic's days. */
export const PERIODS = ['day', 'week', 'month'] as const
export const SURFACES = ['rest', 'mcp', 'file', 'webhook', 'ingest', 'console'] as const
/** Stands for everything outside the console: what integrations and the clinic's own systems did, and what was delivered to them. */
export const INTEGRATIONS = 'integrations'
/** The look-up of a patient answers at most so many. */
export const FOUND_PATIENTS = 10
/** By status: below 400, from 400, from 500. */
export const OUTCOMES = ['done', 'refused', 'failed'] as const

export const Actor = object({
  id: Id,
  name: nullable(text(MAX.name), { description: 'Null: nobody has this id any more.' }),
  kind: choice(['key', 'connection', 'administrator', 'token', 'webhook', 'platform', 'operator', 'watch', 'unknown'], {
    description:
      'A token is that of a system of the clinic, a webhook was delivered to, a platform sends reports of messages, an operator runs commands, the watch over the log stops what its rules call.',
  }),
  connected_by: nullable(text(MAX.name), { description: 'Who connected this app. Null: it is no connection.' }),
})

export type Actor = Static<typeof Actor>

export const ActivityRow = object({
  id: Id,
  at: Instant,
  who: Actor,
  operation: text(MAX.name),
  surface: choice(SURFACES),
  resource_ids: list(text(MAX.id), 100, { description: 'Of what was read or changed; the first hundred.' }),
  patient_ids: nullable(list(text(MAX.id), 100), {
    description: 'The patients whose data left or changed; the first hundred. Null: a row of an earlier version.',
  }),
  patient_count: nullable(Type.Integer({ minimum: 0 }), { description: 'All of them. A search finds each.' }),
  count: Type.Integer({ minimum: 0, description: 'How many resources were read or changed.' }),
  status: whole(100, 599),
  problem: nullable(text(MAX.code), { description: 'Why it was refused: the slug of the problem. Null: unknown.' }),
  required_scope: nullable(text(MAX.code), { description: 'The scope that the key lacked.' }),
  request_id: text(MAX.code),
  address: text(MAX.code),
  duration_ms: nullable(Type.Integer({ minimum: 0 }), { description: 'Until the answer was ready. Null: unknown.' }),
})

export type ActivityRow = Static<typeof ActivityRow>

const moment = text(MAX.instant, {
  format: 'day-or-instant',
  description: 'An instant, or a day of the clinic, which is included as a whole.',
})

const filters = {
  actor: Type.Optional(about('A key, an administrator or a token.', Id)),
  integration: Type.Optional(about('All that its keys, connections and webhooks did.', Id)),
  operation: Type.Optional(text(MAX.name, { minLength: 1 })),
  surface: Type.Optional(choice([...SURFACES, INTEGRATIONS])),
  resource_id: Type.Optional(about("A record's, for example an appointment's: who read or changed it.", Id)),
  patient_id: Type.Optional(
    about(
      'Whose data left or changed, or was asked for; also as the lead, by the calls and in the chats from before.',
      Id,
    ),
  ),
  outcome: Type.Optional(choice(OUTCOMES)),
  from: Type.Optional(moment),
  to: Type.Optional(moment),
}

export const ActivityQuery = strictObject({
  ...filters,
  limit: Type.Optional(whole(1, ACTIVITY_PAGE.most, { default: ACTIVITY_PAGE.default })),
  cursor: Type.Optional(text(MAX.code, { pattern: '^\\d{1,15}\\.\\d{1,13}\\.\\d{0,13}$' })),
})

/** `rows`: as the page shows them, one JSON text a line. `proof`: as `clinicd audit verify --file` takes them. */
export const EXPORTED_AS = ['rows', 'proof'] as const

export const ActivityExport = strictObject({ as: choice(EXPORTED_AS), ...filters })

/** The last line of `rows`: without it the answer was cut off. */
export interface ActivityExportEnd {
  /** As in the list: a search for a patient met rows that name records only. */
  end: { rows: number; records_only_until: string | null }
}

export const ActivityPage = object({
  data: list(ActivityRow, ACTIVITY_PAGE.most),
  meta: object({
    next_cursor: nullable(text(MAX.code)),
    searched_until: nullable(Instant, {
      description: 'The search went back to here and stopped. Null: it found a whole page, or looked at all rows.',
    }),
    records_only_until: nullable(Instant, {
      description:
        'A search for a patient met rows up to here that name records only: some of them may be about the patient. Null: none.',
    }),
  }),
})

export const PatientSearch = strictObject({
  words: text(MAX.name, { minLength: 1, description: 'The beginning of names, a phone, or an id.' }),
})

/** As few data as tell patients apart. */
export const FoundPatients = list(
  object({
    id: Id,
    first_name: nullable(text(MAX.person_name)),
    last_name: nullable(text(MAX.person_name)),
    phone: nullable(text(MAX.phone)),
  }),
  FOUND_PATIENTS,
)

export type FoundPatients = Static<typeof FoundPatients>

export const UsageQuery = strictObject({
  period: Type.Optional(choice(PERIODS, { default: 'day' })),
  key_id: Type.Optional(about('Only the series of this key.', Id)),
})

const used = {
  requests: Type.Integer({ minimum: 0 }),
  refusals: Type.Integer({ minimum: 0, description: 'Those with a status from 400.' }),
  failures: Type.Integer({ minimum: 0, description: 'Those with a status from 500.' }),
  p50_ms: nullable(Type.Integer({ minimum: 0 }), {
    description: 'Half of the requests took no longer. Null: unknown.',
  }),
  p99_ms: nullable(Type.Integer({ minimum: 0 })),
}

export const Usage = object({
  step: choice(['hour', 'day']),
  series: list(object({ at: Instant, ...used }), 31, {
    description: 'Each hour or day, also those without a request.',
  }),
  keys: list(
    object({
      who: Actor,
      ...used,
      busiest_minute: Type.Integer({ minimum: 0, description: 'Its requests in the busiest minute.' }),
      rate_limit: nullable(Type.Integer({ minimum: 1 }), {
        description: 'What it may send a minute now. Null: no key.',
      }),
    }),
    USED_KEYS,
    { description: 'The most used first.' },
  ),
})

export type Usage = Static<typeof Usage>
