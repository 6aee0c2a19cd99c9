// Writes the client's methods as an interface: each with its documentation, and with types that an editor shows by their names.
import type { Operation } from '@clinic-data/contract'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { argumentName, idDescription } from '@clinic-data/contract/names'
import { codeSamples } from '@clinic-data/contract/projections/code-samples'
import type { TSchema } from '@clinic-data/contract/schema'
import { inputName, inputOf, pascal } from './resource-types.ts'
import { comment, literal, objectText, typeName, typeText } from './type-text.ts'

/** The fields of every page. `PageOf` has them. */
const PAGE_FIELDS = ['data', 'next_cursor', 'meta']

/** The parts of the operation ids as a tree with operations as its leaves. */
interface Namespace {
  [name: string]: Namespace | Operation
}

export function methods(operations: readonly Operation[]): string {
  const tree: Namespace = {}
  for (const operation of operations) {
    const names = operation.id.split('.')
    const action = names.pop() ?? ''
    let at = tree
    for (const name of names) {
      at[name] ??= {}
      at = at[name] as Namespace
    }
    at[action] = operation
  }
  const body = [
    ...operations.flatMap(pageOfItsOwn),
    `/** What each operation takes and answers, by its id. */\nexport interface OperationTypes {\n${operations.map(typesOf).join('\n')}\n}`,
    `/** The methods of the client. */\nexport interface Resources ${written(tree)}`,
  ].join('\n\n')
  const used = [...new Set(body.match(/\b[A-Z]\w+/g))].filter((name) => isResource(name, operations))
  return `import type { EventEnvelope } from '../event-envelope.ts'
import type { PageOf, Pages } from '../pages.ts'
import type { RequestOptions } from '../request.ts'
import type { ${used.join(', ')} } from './resources.ts'

/** Nothing, or an empty object before the options. */
type None = Record<string, never>

${body}
`
}

/** Whether `resources.ts` declares the name: that of an input, of a named schema in an answer, or of open values. */
function isResource(name: string, operations: readonly Operation[]): boolean {
  const mentioned = new Set<string>()
  const meet = (schema: JsonSchema) => mentioned.add(typeName(schema) ?? '')
  for (const operation of operations) {
    mentioned.add(inputName(operation) ?? '')
    for (const schema of [operation.output, operation.detailed]) if (schema) typeText(jsonSchemaOf(schema), {}, meet)
  }
  return name === 'Open' || (mentioned.has(name) && name !== 'EventEnvelope')
}

function written(namespace: Namespace): string {
  const members = Object.entries(namespace).map(([name, member]) =>
    isOperation(member) ? methodText(name, member) : `${name}: ${written(member)}`,
  )
  return `{\n${members.join('\n')}\n}`
}

function isOperation(member: Namespace | Operation): member is Operation {
  return typeof member.id === 'string'
}

/** The method's signatures. The one for details comes first: the compiler takes the first that fits. */
function methodText(name: string, operation: Operation): string {
  const { ids, detailed } = operation
  const input = inputName(operation)
  const parameter = (type: string, isRequired: boolean) =>
    [
      ...Object.keys(ids).map((parameter) => `${argumentName(operation, parameter)}: string`),
      `input${isRequired ? '' : '?'}: ${type}`,
      'options?: RequestOptions',
    ].join(', ')
  const documented = comment(documentation(operation))
  const isRequired = (inputOf(operation).required ?? []).length > 0
  const plain = `${documented}${name}(${parameter(input ?? 'None', isRequired)}): ${result(operation, operation.output)}`
  if (!detailed) return plain
  const withDetails = parameter(`${input} & { response_format: 'detailed' }`, true)
  return `${documented}${name}(${withDetails}): ${result(operation, detailed)}\n${plain}`
}

function documentation(operation: Operation): string[] {
  const { method, path, scope, summary, description, ids, body, effect, shape } = operation
  const sample = codeSamples(operation).find(({ label }) => label === 'client')
  return [
    `${summary}. ${description}`,
    '',
    `\`${method} ${path}\`, ${scope === null ? 'no scope' : `scope \`${scope}\``}.`,
    '',
    ...Object.keys(ids).map(
      (parameter) => `@param ${argumentName(operation, parameter)} ${idDescription(operation, parameter)}`,
    ),
    `@param input ${inputName(operation) === null ? 'Nothing.' : body ? 'The fields of the body.' : 'The query.'}`,
    `@param options Settings of this call${effect === 'once a key' ? ', and its `idempotencyKey`' : ''}.`,
    `@returns ${returned(shape)}`,
    '@throws ClinicDataError, or the reason of `signal`.',
    '@example',
    ...(sample?.source ?? '').split('\n'),
  ]
}

function returned(shape: Operation['shape']): string {
  switch (shape) {
    case 'page':
      return '`await` it for one page, or walk the rows of all pages with `for await`.'
    case 'none':
      return 'Nothing.'
    case 'link':
      return 'A signed link to the file.'
    default:
      return 'The answer: what was asked for is its `data`.'
  }
}

function result(operation: Operation, output: TSchema): string {
  if (operation.shape === 'none') return 'Promise<undefined>'
  if (operation.shape !== 'page') return `Promise<${answerText(operation, output)}>`
  return hasPageOfItsOwn(operation)
    ? `Pages<${rowText(output)}, ${pascal(operation.id)}Page>`
    : `Pages<${rowText(output)}>`
}

/** The whole answer as a type. */
function answerText(operation: Operation, output: TSchema): string {
  if (operation.shape === 'none') return 'undefined'
  if (operation.shape !== 'page') return typeText(jsonSchemaOf(output), undefined, () => {})
  return hasPageOfItsOwn(operation) ? `${pascal(operation.id)}Page` : `PageOf<${rowText(output)}>`
}

function rowText(output: TSchema): string {
  return typeText(jsonSchemaOf(output).properties?.data?.items ?? {}, undefined, () => {})
}

function hasPageOfItsOwn({ shape, output }: Operation): boolean {
  const fields = Object.keys(jsonSchemaOf(output).properties ?? {})
  return shape === 'page' && fields.some((name) => !PAGE_FIELDS.includes(name))
}

/** A page that says more than others: the event feed's. */
function pageOfItsOwn(operation: Operation): string[] {
  if (!hasPageOfItsOwn(operation)) return []
  const { properties = {}, ...schema } = jsonSchemaOf(operation.output)
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !PAGE_FIELDS.includes(name)))
  const fields = objectText({ ...schema, properties: own }, undefined, () => {})
  const about = `What \`client.${operation.id}\` answers.`
  return [
    `${comment([about])}export interface ${pascal(operation.id)}Page extends PageOf<${rowText(operation.output)}> ${fields}`,
  ]
}

function typesOf(operation: Operation): string {
  const { id, output, detailed } = operation
  return `${literal(id)}: {
    input: ${inputName(operation) ?? 'None'}
    output: ${answerText(operation, output)}
    detailed: ${detailed ? answerText(operation, detailed) : 'never'}
  }`
}
