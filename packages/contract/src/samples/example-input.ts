// The query or the body of an operation's example, as a program gives it to a client.
import type { Operation } from '../operation.ts'

/** A query's examples are texts, but a client takes numbers and booleans as such. */
export function exampleInput({ body, query, example }: Operation): Readonly<Record<string, unknown>> {
  if (body) return example.body as Readonly<Record<string, unknown>>
  const isText = (name: string) => (query.properties[name] as { type?: string } | undefined)?.type === 'string'
  return Object.fromEntries(
    Object.entries(example.query ?? {}).map(([name, value]) => [name, isText(name) ? value : JSON.parse(value)]),
  )
}
