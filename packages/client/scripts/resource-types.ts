// Writes the types of everything that the operations answer and take: one interface for each named schema of the contract, one for
// the input of each other operation, and the lists of values that fields share.
import { allOperations, type Operation, problems } from '@clinic-data/contract'
import { eventResources } from '@clinic-data/contract/event-examples'
import { events } from '@clinic-data/contract/event-types'
import { sharedValues } from '@clinic-data/contract/generators/openapi-shapes'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { FaultSchema } from '@clinic-data/contract/projections/openapi-problems'
import { exampleInput } from '@clinic-data/contract/samples/example-input'
import { comment, literal, objectText, typeName, typeText } from './type-text.ts'

/** Returns what an operation takes besides its ids: the fields of its body, or its query. */
export function inputOf({ body, query }: Operation): JsonSchema {
  return jsonSchemaOf(body ?? query)
}

/** The name of an operation's input. Null for one that takes nothing. */
export function inputName(operation: Operation): string | null {
  const input = inputOf(operation)
  if (Object.keys(input.properties ?? {}).length === 0) return null
  return typeName(input) ?? `${pascal(operation.id)}Input`
}

/** `patients.list` as `PatientsList`. */
export function pascal(id: string): string {
  return id
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** The declarations of all types, in the order of their names. */
export function resourceTypes(operations: readonly Operation[]): string {
  const declared = new Map<string, string>()
  const meet = (schema: JsonSchema): void => {
    const name = typeName(schema) ?? ''
    // Its `data` depends on its type: `event-envelope.ts` says how.
    if (declared.has(name) || name === 'EventEnvelope') return
    declared.set(name, '')
    const body = objectText(schema, schema.examples?.[0], meet)
    declared.set(name, `${comment([usesOf(name)])}export interface ${name} ${body}`)
  }
  for (const operation of operations) {
    for (const schema of [operation.output, operation.detailed]) if (schema) typeText(jsonSchemaOf(schema), {}, meet)
    const name = inputName(operation)
    const input = inputOf(operation)
    if (name !== null && typeName(input)) meet(input)
    else if (name !== null) {
      const text = objectText(input, exampleInput(operation), meet)
      declared.set(
        name,
        `${comment([[`What \`client.${operation.id}\` takes.`, input.description].filter(Boolean).join(' ')])}export interface ${name} ${text}`,
      )
    }
  }
  for (const schema of [...Object.values(eventResources), FaultSchema]) meet(jsonSchemaOf(schema))
  return [...[...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text), ...lists()].join('\n\n')
}

export function usesOf(name: string): string {
  const taken = allOperations.filter((operation) => typeName(inputOf(operation)) === name)
  const answered = allOperations.filter(({ output, detailed }) =>
    [output, detailed].some((schema) => schema && answeredName(jsonSchemaOf(schema)) === name),
  )
  const list = (operations: readonly Operation[]) => operations.map(({ id }) => `\`client.${id}\``).join(', ')
  if (name === 'Fault') return 'One fault of a request: `pointer`, `parameter` or `header` says where it is.'
  if (taken.length > 0) return `What ${list(taken)} takes.`
  if (answered.length > 0) return `What ${list(answered)} answer${answered.length === 1 ? 's' : ''}.`
  return 'A part of other resources.'
}

function answeredName({ properties }: JsonSchema): string | undefined {
  const { data } = properties ?? {}
  return data && typeName(data.items ?? data)
}

/** Lists of values that several fields share, the codes of problems, and the resource of each type of event. */
function lists(): string[] {
  const union = (values: readonly string[]) => values.map(literal).join(' | ')
  return [
    '/** One of the values of today, or a text that a later version of the service answers. */\nexport type Open<Known extends string> = Known | (string & Record<never, never>)',
    ...Object.entries(sharedValues).map(([name, values]) => `export type ${name} = ${union(values)}`),
    `/** The codes of the problems: \`error.code\`. */\nexport type ProblemCode = ${union(Object.keys(problems))}`,
    `/** The resource in the \`data\` of each type of event. */\nexport interface EventData {\n${Object.entries(events)
      .map(([type, { resource, fires }]) => `${comment([fires])}${literal(type)}: ${resource}`)
      .join('\n')}\n}`,
  ]
}
