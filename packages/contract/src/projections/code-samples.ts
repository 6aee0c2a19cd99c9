// Code samples of an operation for the documentation: with curl and `sc` in a shell, with the client and with httpx in a program.
import { exampleIds, idLists, type Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { filledPath } from '../routes.ts'
import { commandOf } from './commands.ts'

/** The form that reference pages know as `x-codeSamples`. */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python'
  label: 'curl' | 'client' | 'httpx' | 'sc'
  source: string
}

/** Longer values are written on several lines. */
const MAX_LINE = 80

export function codeSamples(operation: Operation): CodeSample[] {
  const [sc] = commandOf(operation).examples
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation) },
    { lang: 'TypeScript', label: 'client', source: client(operation) },
    { lang: 'Python', label: 'httpx', source: httpx(operation) },
    ...(sc === undefined ? [] : [{ lang: 'Shell', label: 'sc', source: sc } as const]),
  ]
}

/**
 * The path of the list from which a sample takes the id of a delivery. A delivery is kept for some weeks only, so a sample cannot
 * name one. Null where no delivery is named.
 */
function logOf({ ids, example }: Operation): string | null {
  return Object.values(ids).includes('delivery') ? filledPath(operations[idLists.delivery], example.params) : null
}

export function curl(operation: Operation): string {
  const { method, body, example, effect } = operation
  const address = filledPath(operation, example.params).replace(exampleIds.delivery, '$DELIVERY_ID')
  const query = new URLSearchParams(example.query).toString()
  const log = logOf(operation)
  const request = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$SC_BASE_URL${address}${query && `?${query}`}"`,
    KEY,
    ...(effect === 'once a key' ? ['-H "Idempotency-Key: $(date +%s)-$RANDOM"'] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${quoted(example.body)}'`] : []),
  ].join(' \\\n  ')
  if (log === null) return request
  return `DELIVERY_ID=$(curl -s "$SC_BASE_URL${log}" \\\n  ${KEY} |\n  grep -o 'dlv_[^"]*' | head -n 1)\n${request}`
}

const KEY = '-H "Authorization: Bearer $SC_API_KEY"'

/** With `@clinic-data/client`: the ids of the path, then the query or the body. */
function client(operation: Operation): string {
  const { id, ids: taken, body, query, shape, example } = operation
  const ids = Object.keys(taken).map((name) => literal(example.params?.[name]))
  if (logOf(operation) !== null) {
    const [subscription] = ids
    const named = [subscription, 'id'].join(', ')
    return `for await (const { id } of client.${idLists.delivery}(${subscription})) {\n  await client.${id}(${named})\n  break\n}`
  }
  const input = body === undefined ? typed(query, example.query) : example.body
  const call = `client.${id}(${[...ids, ...(input === undefined ? [] : [literal(input)])].join(', ')})`
  switch (shape) {
    case 'page':
      return `for await (const row of ${call}) {\n  console.log(row.id)\n}`
    case 'none':
      return `await ${call}`
    default:
      return `const { data } = await ${call}`
  }
}

/** A whole program in Python with httpx, a plain HTTP client. */
function httpx(operation: Operation): string {
  const { method, body, example, effect, shape } = operation
  const isSafeToRepeat = effect === 'once a key'
  const key = `"Authorization": f"Bearer {os.environ['SC_API_KEY']}"`
  const log = logOf(operation)
  const address = filledPath(operation, example.params)
  const headers = [key, ...(isSafeToRepeat ? ['"Idempotency-Key": str(uuid.uuid4())'] : [])]
  return [
    'import os',
    ...(isSafeToRepeat ? ['import uuid'] : []),
    '',
    'import httpx',
    '',
    ...(log === null
      ? []
      : [`log = httpx.get(os.environ["SC_BASE_URL"] + "${log}", headers={${key}})`, LATEST_DELIVERY, '']),
    `answer = httpx.${method.toLowerCase()}(`,
    `    os.environ["SC_BASE_URL"] + ${log === null ? `"${address}"` : `f"${address.replace(exampleIds.delivery, '{delivery_id}')}"`},`,
    `    headers={${headers.join(', ')}},`,
    ...(example.query ? [`    params=${pythonLiteral(example.query, '    ')},`] : []),
    ...(body ? [`    json=${pythonLiteral(example.body, '    ')},`] : []),
    ')',
    'answer.raise_for_status()',
    ...(shape === 'none' ? [] : ['print(answer.json()["data"])']),
  ].join('\n')
}

const LATEST_DELIVERY = 'delivery_id = log.json()["data"][0]["id"]'

/** A value in Python syntax: JSON with other words for null, true and false. */
function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts = (deep: string) =>
    Object.entries(value).map(
      ([name, part]) => `${isList ? '' : `${JSON.stringify(name)}: `}${pythonLiteral(part, deep)}`,
    )
  return bracketed(isList ? '[]' : '{}', '', parts, indent, '    ')
}

/** A query's examples are texts, but the client takes numbers and booleans as such. */
function typed({ properties }: Operation['query'], example: Operation['example']['query']): object | undefined {
  if (example === undefined) return undefined
  const isText = (name: string) => (properties[name] as { type?: string } | undefined)?.type === 'string'
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, isText(name) ? value : JSON.parse(value)]),
  )
}

/** A value in TypeScript syntax. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const parts = (deep: string) =>
    Object.entries(value).map(
      ([name, part]) => `${isList ? '' : `${/^\w+$/.test(name) ? name : literal(name)}: `}${literal(part, deep)}`,
    )
  return bracketed(isList ? '[]' : '{}', isList ? '' : ' ', parts, indent, '  ')
}

/** A list's or an object's parts between its brackets: on one line if it is short. */
function bracketed(
  [open = '', close = '']: string,
  space: string,
  parts: (indent: string) => string[],
  indent: string,
  step: string,
): string {
  const line = `${open}${space}${parts(indent).join(', ')}${space}${close}`
  if (line.length <= MAX_LINE && !line.includes('\n')) return line
  const inner = `${indent}${step}`
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`
}

/** JSON inside the single quotes of a shell. */
function quoted(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')
}
