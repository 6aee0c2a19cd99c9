// A question to the clinic's numbers for a terminal, as `sc`, curl and an MCP client ask it. Each line works as it stands in any POSIX shell, once
// `SC_API_KEY` holds a key.
import type { Query } from '../analytics/query.ts'
import type { Static } from '../schema/schema.ts'
import { safeJson, safeText } from '../values/safe-text.ts'

type QueryBody = Static<typeof Query>

/** One word of a shell's line, whatever it holds: an address that someone sent may hold anything. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const KEY = '-H "Authorization: Bearer $SC_API_KEY"'
const JSON_BODY = `-H 'Content-Type: application/json'`

const NAME = /^[a-z][a-z0-9_]*$/
/** The short forms give these a meaning. */
const MARKED = /^\s|\s$|,|\.\.|^(true|false)$/
/** A text that a terminal gives a meaning is escaped, and so stands in JSON. */
const isPlain = (value: unknown) => typeof value !== 'string' || (!MARKED.test(value) && safeText(value) === value)
const jsonWord = (value: object) => shellWord(safeJson(JSON.stringify(value)))

/** Options that mean the same as the body, or null where they cannot say it. */
function options({ dataset, measures, dimensions = [], filters = [], order = [], limit }: QueryBody): string[] | null {
  const fields = [
    ...dimensions.map((one) => (typeof one === 'string' ? one : one.field)),
    ...filters.map(({ field }) => field),
  ]
  const names = [dataset, ...measures, ...fields, ...order.map(({ by }) => by)]
  if (!names.every((name) => NAME.test(name)) || !filters.flatMap(({ value }) => value).every(isPlain)) return null
  const optionsOf = (flag: string, words: readonly string[]) => words.map((word) => `${flag} ${shellWord(word)}`)
  return [
    ...optionsOf('-m', measures),
    ...optionsOf(
      '-b',
      dimensions.map((one) => (typeof one === 'string' ? one : `${one.field}${one.grain ? `:${one.grain}` : ''}`)),
    ),
    ...optionsOf(
      '-f',
      filters.map(({ field, op, value }) => `${field}:${op}:${[value].flat().join(op === 'between' ? '..' : ',')}`),
    ),
    ...optionsOf(
      '-o',
      order.map(({ by, dir }) => `${by}:${dir}`),
    ),
    ...(limit === undefined ? [] : [`--limit ${limit}`]),
  ]
}

export function scLine(body: QueryBody, apiUrl: string): string {
  const at = `SC_BASE_URL=${shellWord(apiUrl)}`
  const short = options(body)
  return short === null
    ? `${at} sc api POST /v1/query -d ${jsonWord(body)}`
    : `${at} sc query ${[shellWord(body.dataset), ...short].join(' ')}`
}

export function curlLine(body: QueryBody, apiUrl: string): string {
  return `curl ${shellWord(`${apiUrl}/v1/query`)} ${KEY} ${JSON_BODY} -d ${jsonWord(body)}`
}

/** The call that a model's client makes. Without an `Accept` for streams the answer is one JSON text. */
export function mcpLine(body: QueryBody, apiUrl: string): string {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query_run', arguments: body } }
  return `curl ${shellWord(`${apiUrl}/mcp`)} ${KEY} ${JSON_BODY} -d ${jsonWord(call)}`
}
