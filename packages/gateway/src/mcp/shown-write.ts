// Says in words what a write would do, for the person who decides: what its rehearsal showed, each argument on a line, and whose ids
// they are, as far as the key may read that.
import { type Grant, type Operation, operations } from '@clinic-data/contract'
import { visibleText } from '@clinic-data/contract/visible-text'
import type { Output } from '../answers/write-output.ts'
import { callOf } from '../calls/call.ts'
import type { Edge } from '../calls/edge.ts'
import { auditableId } from '../calls/pipeline.ts'
import type { Input } from '../requests/read-input.ts'
import type { Shown } from './confirmations.ts'
import type { Members, ToolCaller } from './mcp-tool.ts'

/** Arguments that name a person, with what tells who that is. */
const PEOPLE: Readonly<Record<string, { reads: Operation; shows: readonly string[] }>> = {
  patient_id: { reads: operations['patients.get'], shows: ['first_name', 'last_name', 'phone'] },
  conversation_id: { reads: operations['chat.conversations.get'], shows: ['display_name', 'patient_phone'] },
}

/** The answer of a rehearsal. */
interface Rehearsed {
  readonly data: Members
  readonly meta?: Members
}

/** Effects that the arguments do not tell. */
const EFFECTS: Readonly<Record<string, (answer: Rehearsed) => string>> = {
  [operations['chat.messages.create'].id]: ({ data, meta }) => `sent as: ${deliveryInWords(data, meta?.delivery_mode)}`,
  [operations['payments.create'].id]: ({ data: { amount, currency, documents } }) => {
    const types = (documents as readonly Members[]).map(({ type }) => inOneLine(type))
    return `recorded as: ${inOneLine(amount)} ${inOneLine(currency)}, with the document ${types.join(', ')}`
  },
}

function deliveryInWords({ template, text }: Members, mode: unknown): string {
  const name = inOneLine(template)
  if (mode === 'free_text') return 'free text, while the 24-hour window is open'
  if (mode === 'template') return `the template ${name}, which reads ${inOneLine(text)}`
  if (mode === 'marketing_template')
    return `the marketing template ${name} with the text in it, because the 24-hour window is closed`
  return inOneLine(mode)
}

const NOT_REHEARSED =
  'not tried: the system that holds the data cannot tell before. It may still refuse this or have it already, and outside of the 24-hour window free text goes out in a marketing template'

/** On a line of its own, or nothing where the arguments say all. */
export function effectInWords({ id }: Operation, rehearsed: Output | null): string {
  if (rehearsed === null) return NOT_REHEARSED
  return EFFECTS[id]?.(JSON.parse(String(rehearsed.body)) as Rehearsed) ?? ''
}

const REPEATED = 'done already: a call with this idempotency_key has written it, and its answer comes again'

/** They say which record is there already, where a write answers another status than its own. */
const KNOWN: Readonly<Record<string, string>> = {
  [operations['leads.create'].id]:
    'there already: a lead with this external_id, phone or email. This is added to its timeline',
  [operations['payments.create'].id]: 'there already: the payment with this external_id',
}

/** On a line of its own, or nothing where the write is new or nobody can tell. */
export function knownInWords({ id, status: ofNew }: Operation, rehearsed: Output | null): string {
  if (rehearsed === null) return ''
  if (isReplay(rehearsed)) return REPEATED
  return rehearsed.status === ofNew ? '' : (KNOWN[id] ?? 'there already')
}

/** Whether it is the answer of an earlier call with the same `idempotency_key`. */
export function isReplay({ headers = {} }: Output): boolean {
  return 'idempotent-replayed' in headers
}

export type ShowWrite = (shown: Shown, grant: Grant, caller: ToolCaller) => Promise<string>

/** @throws (the function) Problem 404 for an id of nobody. */
export function writesInWords(edge: Edge, { summary }: Operation): ShowWrite {
  const readers = new Map(
    Object.entries(PEOPLE).map(([argument, { reads, shows }]) => [
      argument,
      { scope: reads.scope, shows, call: callOf(edge, reads) },
    ]),
  )

  async function whoseId(argument: string, id: unknown, grant: Grant, caller: ToolCaller): Promise<string> {
    const reader = readers.get(argument)
    if (reader === undefined || typeof id !== 'string') return ''
    if (reader.scope !== null && !grant.may(reader.scope)) return ' (this key may not read who that is)'
    const asking = { ...caller, named: { id: auditableId(id) } }
    const { body } = await reader.call(asking, (_grant, ask) => ask(inputOf(id)))
    const { data } = JSON.parse(String(body)) as { data: Members }
    return ` (${reader.shows.map((field) => inOneLine(data[field])).join(', ')})`
  }

  return async ({ wanted, effect, known }, grant, caller) => {
    const { idempotency_key: _, ...shown } = wanted
    const lines = [known, effect].filter((line) => line !== '')
    for (const [argument, value] of Object.entries(shown))
      lines.push(`${argument}: ${inOneLine(value)}${await whoseId(argument, value, grant, caller)}`)
    const { name } = grant.clinic
    return [`${summary}${name === undefined ? '' : `, ${inOneLine(name)}`}:`, ...lines].join('\n')
  }
}

/** As JSON, so that no text can look like a line of its own. */
function inOneLine(value: unknown): string {
  return visibleText(JSON.stringify(value))
}

function inputOf(id: string): Input {
  return { params: { id }, query: { limit: 1, after: null }, body: {}, idempotency_key: null }
}
