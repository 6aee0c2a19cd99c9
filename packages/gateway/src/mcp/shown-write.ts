// Says in words what a write would do, for the person who decides: each argument on a line, and whose ids they are, as far as the key
// may read that.
import { type Grant, type Operation, operations } from '@clinic-data/contract'
import { visibleText } from '@clinic-data/contract/visible-text'
import { callOf } from '../calls/call.ts'
import type { Edge } from '../calls/edge.ts'
import { auditableId } from '../calls/pipeline.ts'
import type { Input } from '../requests/read-input.ts'
import type { Members, ToolCaller } from './mcp-tool.ts'

/** Arguments that name a person, with what tells who that is. */
const PEOPLE: Readonly<Record<string, { reads: Operation; shows: readonly string[] }>> = {
  patient_id: { reads: operations['patients.get'], shows: ['first_name', 'last_name', 'phone'] },
  conversation_id: { reads: operations['chat.conversations.get'], shows: ['display_name', 'patient_phone'] },
}

export type ShowWrite = (toolArguments: Members, grant: Grant, caller: ToolCaller) => Promise<string>

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
    const { data } = JSON.parse(body) as { data: Members }
    return ` (${reader.shows.map((field) => inOneLine(data[field])).join(', ')})`
  }

  return async (toolArguments, grant, caller) => {
    const lines: string[] = []
    for (const [argument, value] of Object.entries(toolArguments))
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
