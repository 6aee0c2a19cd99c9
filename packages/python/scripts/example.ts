// Writes the example of an operation with the client for Python, as a reader would type it.
import { idLists, type Operation } from '@clinic-data/contract/operation'
import { exampleInput } from '../../client/scripts/resource-types.ts'
import { argument, literal } from './python-text.ts'

/** Longer calls are written on several lines. */
const MAX_LINE = 80

export function example(operation: Operation, isAsync: boolean): readonly string[] {
  const { id, ids, shape, example } = operation
  const call = callOf(operation)
  const awaited = isAsync ? 'await ' : ''
  if (Object.values(ids).includes('delivery')) {
    // A delivery is kept for some weeks only, so an example cannot name one.
    const [subscription = ''] = Object.keys(ids).map((one) => literal(example.params?.[one]))
    return [
      ...typed(`${isAsync ? 'async ' : ''}for delivery in client.${idLists.delivery}(${subscription}):`),
      `...     ${awaited}client.${id}(${subscription}, delivery["id"])`,
      '...     break',
    ]
  }
  switch (shape) {
    case 'page':
      return [...typed(`${isAsync ? 'async ' : ''}for row in ${call}:`), '...     print(row["id"])']
    case 'none':
      return typed(`${awaited}${call}`)
    default:
      return typed(`${shape === 'bounded' ? 'rows' : 'answer'} = ${awaited}${call}`)
  }
}

function callOf(operation: Operation): string {
  const { id, ids, example } = operation
  const input = Object.entries((exampleInput(operation) ?? {}) as Record<string, unknown>)
  const taken = [
    ...Object.keys(ids).map((one) => literal(example.params?.[one])),
    ...input.map(([name, value]) => `${argument(name)}=${literal(value)}`),
  ]
  const line = `client.${id}(${taken.join(', ')})`
  return line.length <= MAX_LINE ? line : `client.${id}(\n${taken.map((one) => `    ${one},\n`).join('')})`
}

/** The lines as they stand behind the marks of a prompt. */
function typed(source: string): string[] {
  return source.split('\n').map((line, i) => `${i === 0 ? '>>>' : '...'} ${line}`)
}
