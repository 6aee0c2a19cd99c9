// Answers in the OpenAPI document, in forms that bear what `/v1` may add: their lists of values are open, their lists have no longest
// length, and each of their objects has a name. What a client sends stays closed (docs/decisions/0130-answers-are-open.md).
import { MAX } from '../limits.ts'
import type { OpenApiDocument, OperationObject, PathItem } from '../projections/openapi-document.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { everyPart } from './every-part.ts'
import { PartNames, typeOf } from './part-names.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** The document with its answers in the open forms. */
export function withOpenAnswers(document: OpenApiDocument): OpenApiDocument {
  const { components, paths, webhooks } = document
  const answered = answeredBy(document)
  const schemas = changed(components.schemas, (schema, name) => (answered.has(name) ? open(schema) : schema))
  const names = new PartNames(schemas, open)
  const named = changed(schemas, (schema, name) => (answered.has(name) ? names.inside(name, schema) : schema))
  const answers = changed(
    paths,
    (item) => changed(item, (operation) => operation && withAnswers(operation, names)) as PathItem,
  )
  return {
    ...document,
    paths: answers,
    webhooks: open(webhooks),
    components: { ...components, schemas: { ...named, ...names.made } },
  }
}

function changed<T, U>(entries: Record<string, T>, change: (value: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, change(value, name)]))
}

function withAnswers(operation: OperationObject, names: PartNames): OperationObject {
  const name = `${typeOf(operation)}Answer`
  const responses = changed(operation.responses, (response) => {
    if (!('content' in response)) return response
    return { ...response, content: changed(response.content, (type) => names.answer(name, open(type))) }
  })
  return { ...operation, responses }
}

/** The components that answers and events reach. No request may: it would be open too. */
function answeredBy({ components, paths, webhooks }: OpenApiDocument): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const taken = reached(
    [operations.map(({ parameters, requestBody }) => [parameters, requestBody]), components.parameters],
    components.schemas,
  )
  const answered = reached(
    [operations.map(({ responses }) => responses), components.responses, webhooks],
    components.schemas,
  )
  for (const name of answered) if (taken.has(name)) throw new Error(`${name} is both sent and answered`)
  return answered
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

function reached(from: unknown, schemas: Schemas, found = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ''] of JSON.stringify(from).matchAll(REFERENCE)) {
    if (found.has(name)) continue
    found.add(name)
    reached(schemas[name], schemas, found)
  }
  return found
}

/** A list of one value says which kind an object is, as the `type` of an event's body does. */
const isOpen = ({ enum: values = [] }: JsonSchema) => values.length > 1

const open = everyPart((schema) => {
  const { maxItems: _, ...rest } = schema
  return isOpen(rest) ? withOpenValues(rest) : rest
})

/** A text with the values that are known today: a closed list would refuse the first new one. */
function withOpenValues({ enum: values = [], description, ...rest }: JsonSchema): JsonSchema {
  const known = values.filter((value) => value !== null)
  return {
    ...rest,
    maxLength: MAX.code,
    description: [description, `One of ${known.map((value) => `\`${value}\``).join(', ')}. More may be added.`]
      .filter(Boolean)
      .join(' '),
    'x-extensible-enum': known,
  }
}
