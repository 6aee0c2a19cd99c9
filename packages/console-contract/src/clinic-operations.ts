// The console's operations on the clinic itself: its settings, its working hours, and the tokens of its own systems.
import { COUNTED_MESSAGES, MAX } from '@clinic-data/contract/limits'
import { EventType } from '@clinic-data/contract/resources/webhook'
import {
  choice,
  GivenName,
  Id,
  Instant,
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
import { changeOf, consoleOperation } from './console-operation.ts'
import { LongestLife } from './console-resources.ts'

/** The longest of the tokens' list. A clinic has a few systems of its own. */
export const CONSOLE_TOKENS = 1_000

/** All providers have at most so many at all branches, through a week. */
export const WORKING_HOURS = 20_000

/** The settings that the session does not say already. The operator changes them. */
export const ClinicSettings = object({
  usual_rate: whole(1, 1_000_000_000, { description: 'Requests a minute of a key without a limit of its own.' }),
  min_visit_minutes: whole(1, MAX.duration_minutes, { description: 'The shortest free time that is offered.' }),
  is_demo: Type.Boolean({ description: 'The demo clinic, in which a person can let things happen.' }),
})

export type ClinicSettings = Static<typeof ClinicSettings>

/** These can happen in the demo clinic at the press of a button. */
export const demoActions = ['appointment', 'call', 'message'] as const

export type DemoAction = (typeof demoActions)[number]

/** The latest events that a page watches. */
export const WATCHED_EVENTS = 20

/** An event without its body, which holds a patient's data. */
export const WatchedEvent = object({ id: Id, type: EventType, created_at: Instant })

export type WatchedEvent = Static<typeof WatchedEvent>

/** One window of a week, in the clinic's local time. A break is the gap between two windows. */
export const WorkingHours = object({
  provider_id: Id,
  branch_id: Id,
  weekday: whole(0, 6, { description: '0 is Sunday.' }),
  starts_at: text(MAX.code, { description: '`09:00`' }),
  ends_at: text(MAX.code, { description: '`24:00` ends the day.' }),
})

export type WorkingHours = Static<typeof WorkingHours>

const counted = (description: string) =>
  object(
    {
      count: whole(0, COUNTED_MESSAGES, { description: 'A thousand at most.' }),
      oldest_at: nullable(Instant, { description: 'When the oldest of them was accepted. Null without one.' }),
    },
    { description },
  )

/** Counts and times, and nothing of a message. */
export const ChatSending = object({
  waiting: counted('Not handed to the platform, or not taken by it yet.'),
  unanswered: counted('Handed to the platform, which has not said whether it has them.'),
  unknown: counted('Failed with `outcome_unknown` in the last seven days, and nothing was heard of them since.'),
})

export type ChatSending = Static<typeof ChatSending>

const token = {
  id: Id,
  name: text(MAX.name),
  first_characters: text(MAX.code),
  last_characters: text(MAX.code),
  created_at: Instant,
  revoked_at: nullable(Instant),
  made_by: nullable(NamedReference, { description: 'The administrator who minted it. Null: the operator.' }),
}

export const ConsoleToken = object(token)

export type ConsoleToken = Static<typeof ConsoleToken>

export const MintedConsoleToken = object({
  ...token,
  token: text(MAX.code, { description: 'The token itself, shown once.' }),
})

export type MintedConsoleToken = Static<typeof MintedConsoleToken>

export const clinicOperations = {
  clinicSettings: consoleOperation({
    id: 'console.clinic',
    method: 'GET',
    path: '/console/api/clinic',
    output: object({ data: ClinicSettings }),
  }),
  workingHours: consoleOperation({
    id: 'console.clinic.working_hours',
    method: 'GET',
    path: '/console/api/clinic/working-hours',
    output: object({ data: list(WorkingHours, WORKING_HOURS) }),
  }),
  /** Those of before stay as they are. The session says what it is. */
  setLongestLife: consoleOperation({
    id: 'console.longest_life.set',
    method: 'POST',
    path: '/console/api/longest-life',
    audited: 'console.longest_life.set',
    body: changeOf({ days: LongestLife }),
    output: object({ data: object({ days: LongestLife }) }),
  }),
  /** Null where the clinic has sent no chat message. It holds nothing of a patient, so a page may ask again and again. */
  chatSending: consoleOperation({
    id: 'console.clinic.chat_sending',
    method: 'GET',
    path: '/console/api/clinic/chat-sending',
    output: object({ data: nullable(ChatSending) }),
  }),
  listTokens: consoleOperation({
    id: 'console.ingest_tokens.list',
    method: 'GET',
    path: '/console/api/ingest-tokens',
    output: object({ data: list(ConsoleToken, CONSOLE_TOKENS) }),
  }),
  /** The same `Idempotency-Key` again is 409, and nothing is minted: the plaintext is shown once. */
  mintToken: consoleOperation({
    id: 'console.ingest_tokens.mint',
    method: 'POST',
    path: '/console/api/ingest-tokens',
    takesIdempotencyKey: true,
    audited: 'console.ingest_tokens.mint',
    body: strictObject({ name: GivenName }),
    output: object({ data: MintedConsoleToken }),
    status: 201,
  }),
  /** From the answer on it is refused. An unknown id, or another clinic's, is 404. */
  revokeToken: consoleOperation({
    id: 'console.ingest_tokens.revoke',
    method: 'POST',
    path: '/console/api/ingest-tokens/{id}/revoke',
    audited: 'console.ingest_tokens.revoke',
    output: object({ data: ConsoleToken }),
  }),
  /** Answers when the clinic's system has told it. 404 in every clinic but the demo clinic. */
  actInDemo: consoleOperation({
    id: 'console.demo.act',
    method: 'POST',
    path: '/console/api/demo/actions',
    audited: 'console.demo.act',
    body: strictObject({ action: choice(demoActions) }),
  }),
  /** The latest first. 404 in every clinic but the demo clinic. */
  watchDemo: consoleOperation({
    id: 'console.demo.watch',
    method: 'GET',
    path: '/console/api/demo/events',
    output: object({ data: list(WatchedEvent, WATCHED_EVENTS) }),
  }),
} as const
