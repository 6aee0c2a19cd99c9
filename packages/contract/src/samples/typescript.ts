// An operation's call with the SDK for TypeScript and JavaScript.
import { idLists, type Operation } from '../operation.ts'
import { bracketed } from './bracketed.ts'
import { exampleInput } from './example-input.ts'
import { logOf } from './sent-request.ts'

/** The ids of the path, then the query or the body. */
export function typescript(operation: Operation): string {
  const { id, ids: taken, shape, example } = operation
  const ids = Object.keys(taken).map((name) => literal(example.params?.[name]))
  if (logOf(operation) !== null) {
    const [subscription] = ids
    const named = [subscription, 'id'].join(', ')
    return `for await (const { id } of client.${idLists.delivery}(${subscription})) {\n  await client.${id}(${named})\n  break\n}`
  }
  const input = exampleInput(operation)
  const isEmpty = Object.keys(input).length === 0
  const call = `client.${id}(${[...ids, ...(isEmpty ? [] : [literal(input)])].join(', ')})`
  switch (shape) {
    case 'page':
      return `for await (const row of ${call}) {\n  console.log(row.id)\n}`
    case 'none':
      return `await ${call}`
    default:
      return `const { data } = await ${call}`
  }
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
