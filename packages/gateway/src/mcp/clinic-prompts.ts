// The prompts of the MCP server as data: work that comes back every day or week, as calls of tools whose arguments are known already.
// A person picks one, so they cost a model nothing until then (docs/decisions/0132).
import { PAGE } from '@clinic-data/contract/limits'

/** The arguments of a prompt, read. */
export interface PromptValues {
  /** The day that it is about, in the clinic. */
  readonly date: string
  /** The first and the last day of that day's week. */
  readonly week: readonly [string, string]
  /** How long ago somebody who is to come again came last. */
  readonly months: number
  readonly branch: { readonly id: string; readonly name: string } | null
}

export interface Step {
  readonly tool: string
  /** Members between < and > stand for values of earlier answers. The branch is added where the tool takes one. */
  arguments(values: PromptValues): Readonly<Record<string, unknown>>
  /** Says why it is called. */
  readonly use: string
  /** It looks at the whole clinic also where a branch was chosen. */
  readonly isOfClinic?: true
  /** Without its tool the prompt is offered all the same. */
  readonly isExtra?: true
}

export interface ClinicPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly ArgumentName[]
  readonly steps: readonly Step[]
  /** Names what the model writes in the end. */
  readonly result: string
}

export const promptArguments = {
  date: 'A day as YYYY-MM-DD. Without it: today in the clinic.',
  months: 'How many months ago they came last, 1 to 60. Without it: 6.',
  branch: 'Only this branch, by its name or id. Without it: all of them.',
} as const

export type ArgumentName = keyof typeof promptArguments

/** The last day a month earlier has no 31st, so the day is held within the month. */
export function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 - months, Math.min(day, lastDay)))
}

export function daysAfter(date: string, days: number): string {
  return dayOf(Date.parse(date) + days * DAY_MS)
}

const DAY_MS = 24 * 60 * 60_000

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** Each page is a call of its own, so a prompt asks for as many rows as a page can hold. */
const MOST = PAGE.max

const phoneOf = (use: string): Step => ({
  tool: 'patients_get',
  arguments: () => ({ patient_id: '<patient.id>' }),
  use,
  isExtra: true,
})

const morningBriefing: ClinicPrompt = {
  name: 'morning_briefing',
  title: 'Morning briefing',
  description:
    'What the day brings: its visits, who waits for an answer, missed calls, and what was paid the day before.',
  arguments: ['date', 'branch'],
  steps: [
    {
      tool: 'appointments_list',
      arguments: ({ date }) => ({ from: date, to: date, response_format: 'detailed', limit: MOST }),
      use: 'count the visits of each provider, and find the first, the last, long gaps, cancelled ones and notes that somebody must act on',
    },
    {
      tool: 'chat_conversations_list',
      arguments: () => ({
        is_handled: false,
        limit: MOST,
        fields: ['display_name', 'patients', 'last_message_preview', 'last_inbound_at', 'last_outbound_at'],
      }),
      use: 'find whose last_inbound_at is later than last_outbound_at, or whose last_outbound_at is null: they wait for an answer, the longest first',
      isOfClinic: true,
      isExtra: true,
    },
    {
      tool: 'calls_list',
      arguments: ({ date }) => ({
        from: daysAfter(date, -1),
        direction: 'inbound',
        limit: MOST,
        fields: ['started_at', 'status', 'patient_phone', 'patients', 'branch'],
      }),
      use: 'find who called and reached nobody since the day before: the status is missed or voicemail, and no later call with that phone is answered',
      isExtra: true,
    },
    {
      tool: 'payments_search',
      arguments: ({ date }) => ({
        from: daysAfter(date, -1),
        to: daysAfter(date, -1),
        limit: MOST,
        fields: ['amount', 'currency', 'method_type', 'is_refund', 'status'],
      }),
      use: 'sum what was paid on the day before by method, refunds apart',
      isOfClinic: true,
      isExtra: true,
    },
  ],
  result: 'a briefing of at most one page that the team can read in a minute, what needs somebody first',
}

const recallList: ClinicPrompt = {
  name: 'recall_list',
  title: 'Recall list',
  description: 'Patients who came last some months ago and have no appointment: whom to call.',
  arguments: ['months', 'branch'],
  steps: [
    {
      tool: 'appointments_list',
      arguments: ({ date, months }) => ({
        from: monthsBefore(date, months + 1),
        to: monthsBefore(date, months),
        limit: MOST,
        fields: ['patient', 'start', 'status', 'type', 'providers'],
      }),
      use: 'find the patients who came; leave out visits whose status says that they did not take place',
    },
    {
      tool: 'patients_list',
      arguments: ({ date, months }) => ({
        last_visit_after: monthsBefore(date, months + 1),
        last_visit_before: daysAfter(monthsBefore(date, months), 1),
        has_future_appointment: false,
        limit: MOST,
        fields: ['id', 'first_name', 'last_name', 'phone'],
      }),
      use: 'keep these patients alone: they have not come since, and have no appointment ahead; here are their phones',
      isOfClinic: true,
    },
  ],
  result: 'a table of name, phone, last visit, its kind and its provider, the longest ago first',
}

const unansweredChats: ClinicPrompt = {
  name: 'unanswered_chats',
  title: 'Unanswered chats',
  description: 'Conversations that staff have not handled, what each asks, and an answer to each as a draft.',
  arguments: [],
  steps: [
    {
      tool: 'chat_conversations_list',
      arguments: () => ({ is_handled: false, limit: 50 }),
      use: 'take those whose last_inbound_at is later than last_outbound_at, or whose last_outbound_at is null',
    },
    {
      tool: 'chat_messages_list',
      arguments: () => ({ conversation_id: '<id>', limit: 10 }),
      use: 'for each of them: see what is asked',
    },
    {
      tool: 'appointments_list',
      arguments: ({ date }) => ({ patient_id: '<patients[].id>', from: date, limit: 5 }),
      use: 'where somebody asks about a visit: the next ones',
      isExtra: true,
    },
  ],
  result:
    'a list of name, how long they have waited, what they ask, and a draft of an answer, urgent ones first. Drafts are for staff: send nothing. Say where free_text_window_expires_at is null or soon, because only a template can be sent then',
}

const noShowsOfTheWeek: ClinicPrompt = {
  name: 'no_shows_of_the_week',
  title: 'No-shows of the week',
  description: 'Who did not come in a week, who of them has a new appointment, and the rate of each provider.',
  arguments: ['date', 'branch'],
  steps: [
    {
      tool: 'catalog_list',
      arguments: () => ({ kind: 'appointment_statuses' }),
      use: "find the status of a visit to which nobody came: the names are the clinic's own",
    },
    {
      tool: 'appointments_list',
      arguments: ({ week: [from, to] }) => ({ from, to, status_id: '<id of that status>', limit: MOST }),
      use: 'find who did not come',
    },
    {
      tool: 'appointments_list',
      arguments: ({ week: [, last] }) => ({ patient_id: '<patient.id>', from: daysAfter(last, 1), limit: 5 }),
      use: 'for each of them: whether there is a new appointment',
      isOfClinic: true,
    },
    phoneOf('for each without one: the phone'),
    {
      tool: 'query_run',
      arguments: ({ week, branch }) => ({
        dataset: 'appointments',
        measures: ['no_show_count', 'completed_count', 'no_show_rate'],
        dimensions: ['provider'],
        filters: [
          { field: 'start_date', op: 'between', value: week },
          ...(branch === null ? [] : [{ field: 'branch', op: 'in', value: [branch.id] }]),
        ],
      }),
      use: 'the rate of each provider, in percent; rates of fewer than ten visits say little',
      isExtra: true,
    },
  ],
  result: 'a table of name, phone, the missed visit, its provider and the new appointment, then the rates',
}

export const clinicPrompts: readonly ClinicPrompt[] = [morningBriefing, recallList, unansweredChats, noShowsOfTheWeek]
