// An operation's call with the SDK for Python, and the names and values of Python.
import { idLists, type Operation } from '../operation.ts'
import { bracketed, MAX_LINE } from './bracketed.ts'
import { exampleInput } from './example-input.ts'
import { logOf } from './sent-request.ts'

/** The words that no argument may be called. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** The ids of the path, then the query or the body as named arguments. */
export function python(operation: Operation, isAsync = false): string {
  const { id, ids, shape, example } = operation
  const [awaited, each] = isAsync ? ['await ', 'async for'] : ['', 'for']
  const taken = Object.keys(ids).map((one) => pythonLiteral(example.params?.[one]))
  if (logOf(operation) !== null) {
    const [subscription] = taken
    return `${each} delivery in client.${idLists.delivery}(${subscription}):\n    ${awaited}client.${id}(${subscription}, delivery["id"])\n    break`
  }
  const call = callOf(operation, taken)
  switch (shape) {
    case 'page':
      return `${each} row in ${call}:\n    print(row["id"])`
    case 'none':
      return `${awaited}${call}`
    default:
      return `${shape === 'bounded' ? 'rows' : 'answer'} = ${awaited}${call}`
  }
}

function callOf(operation: Operation, ids: readonly string[]): string {
  const input = Object.entries(exampleInput(operation))
  const taken = (indent?: string) => [
    ...ids,
    ...input.map(([name, value]) => `${argument(name)}=${pythonLiteral(value, indent)}`),
  ]
  const line = `client.${operation.id}(${taken().join(', ')})`
  if (line.length <= MAX_LINE) return line
  return `client.${operation.id}(\n${taken('    ')
    .map((one) => `    ${one},\n`)
    .join('')})`
}

/** The name of an argument. A keyword of the language gets an underscore at its end, as is usual. */
export function argument(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`no name of an argument: ${name}`)
  return KEYWORDS.has(name) ? `${name}_` : name
}

/**
 * A value in Python's syntax: JSON with other words for null, true and false.
 *
 * @param indent of its line, where a long value may take several. Without it, it stands on one.
 */
export function pythonLiteral(value: unknown, indent?: string): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const brackets = isList ? '[]' : '{}'
  const parts = (deep?: string) =>
    Object.entries(value).map(
      ([name, part]) => `${isList ? '' : `${JSON.stringify(name)}: `}${pythonLiteral(part, deep)}`,
    )
  if (indent === undefined) return `${brackets[0]}${parts().join(', ')}${brackets[1]}`
  return bracketed(brackets, '', parts, indent, '    ')
}
