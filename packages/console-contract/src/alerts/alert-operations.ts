// The operations of alerts: what was unusual in the use of keys and connections, with its numbers, and who has looked at it.
import { MAX } from '@clinic-data/contract/limits'
import {
  about,
  choice,
  Id,
  Instant,
  LocalDate,
  list,
  NamedReference,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  whole,
} from '@clinic-data/contract/schema'
import { Actor } from '../console-activity.ts'
import { consoleOperation } from '../console-operation.ts'

export const ALERTS = {
  /** Each is as high as a third of a tall screen. */
  page: 25,
  most_of_page: 200,
  /** The home page is read in one glance. The others are in the list. */
  most_on_home: 5,
} as const

/** A moment in milliseconds, and an id. */
export const ALERT_CURSOR = '^\\d{1,14}\\.[\\w-]{1,128}$'
const CURSOR_CHARACTERS = 15 + MAX.id

export const alertRules = [
  'silence',
  'new_network',
  'many_patients',
  'patients_in_order',
  'many_refusals',
  'ended_key',
  'stopped_partner',
] as const

export type AlertRule = (typeof alertRules)[number]

const NUMBER = 2_000_000_000
const count = (description: string) => whole(0, NUMBER, { description })
const Day = nullable(LocalDate, { description: 'Null: nobody knows.' })
const tried = object({ ended_at: Instant, tried_at: Instant })

/**
 * An owner may choose that they stop the integration of the key that they called. Of the others refusals bring nobody anything, and a key that
 * has ended is refused already.
 */
export const stoppingRules = [
  'silence',
  'new_network',
  'many_patients',
  'patients_in_order',
] as const satisfies readonly AlertRule[]

export type StoppingRule = (typeof stoppingRules)[number]

/** The numbers of each reason. */
export const AlertFacts = object(
  {
    silence: nullable(object({ days: count('So long nobody used it.'), last_day: LocalDate })),
    new_network: nullable(object({ network: text(MAX.code), known: count('Networks that it came from before.') })),
    many_patients: nullable(
      object({
        patients: count('The people whose data it got that day: patients and leads.'),
        busiest: count('On its busiest day before.'),
        busiest_day: Day,
      }),
    ),
    patients_in_order: nullable(
      object({ patients: count('One after the other.'), longest_before: count('The most before.') }),
    ),
    many_refusals: nullable(
      object({
        refusals: count('That day.'),
        requests: count('That day, the refused ones included.'),
        most: count('The most refusals on a day before.'),
        most_day: Day,
      }),
    ),
    ended_key: nullable(tried),
    stopped_partner: nullable(tried),
  },
  { description: 'Those of the rule. The others are null.' },
)

export type AlertFacts = Static<typeof AlertFacts>

export const Alert = object({
  id: Id,
  rule: choice(alertRules),
  day: about('The clinic’s, on which it happened.', LocalDate),
  noticed_at: Instant,
  key: about('The key or the connection.', Actor),
  integration: nullable(NamedReference),
  facts: AlertFacts,
  seen_at: nullable(Instant, { description: 'Null: nobody has looked at it yet.' }),
  seen_by: nullable(NamedReference),
  stopped_at: nullable(Instant, { description: 'When the rule stopped the integration. Null: it did not.' }),
})

export type Alert = Static<typeof Alert>

export const StopRule = object({
  rule: choice(stoppingRules),
  chosen_at: nullable(Instant, { description: 'Since when it stops. Null: it only tells.' }),
  chosen_by: nullable(NamedReference),
})

export type StopRule = Static<typeof StopRule>

export const alertOperations = {
  /** The latest first. */
  listAlerts: consoleOperation({
    id: 'console.alerts.list',
    method: 'GET',
    path: '/console/api/alerts',
    query: strictObject({
      limit: Type.Optional(whole(1, ALERTS.most_of_page, { default: ALERTS.page })),
      cursor: Type.Optional(text(CURSOR_CHARACTERS, { pattern: ALERT_CURSOR })),
    }),
    output: object({
      data: list(Alert, ALERTS.most_of_page),
      meta: object({ next_cursor: nullable(text(CURSOR_CHARACTERS)) }),
    }),
  }),
  /** The first person who says so stays. The same again changes nothing, and has its row. */
  markAlertSeen: consoleOperation({
    id: 'console.alerts.see',
    method: 'POST',
    path: '/console/api/alerts/{id}/see',
    audited: 'console.alerts.see',
    output: object({ data: Alert }),
  }),
  stopRules: consoleOperation({
    id: 'console.alerts.stop_rules',
    method: 'GET',
    path: '/console/api/stop-rules',
    output: object({ data: list(StopRule, stoppingRules.length) }),
  }),
  /** It stops nothing for what was noticed before. */
  setStopRule: consoleOperation({
    id: 'console.alerts.set_stop_rule',
    method: 'POST',
    path: '/console/api/stop-rules',
    audited: 'console.alerts.set_stop_rule',
    body: strictObject({ rule: choice(stoppingRules), stops: Type.Boolean() }),
    output: object({ data: list(StopRule, stoppingRules.length) }),
  }),
} as const
