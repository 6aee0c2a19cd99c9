// The reference's section on one operation: its description and parameters on one side, the request and the answer on the other.
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import type {
  OpenApiDocument,
  OperationObject,
  Parameter,
  Ref,
  Response,
} from '@clinic-data/contract/projections/openapi-document'
import { answerFields, type Field, fieldList, requestFields } from './field-list.ts'
import { type Html, html, join } from './html.ts'
import { blocks } from './markdown.ts'
import { samples, successes } from './samples.ts'
import { refName, shownName } from './schema-words.ts'

export interface Route {
  method: string
  path: string
  operation: OperationObject
}

/** The anchor of an operation: its id with dashes. */
export function anchorOf({ operationId }: OperationObject): string {
  return operationId.replaceAll('_', '-')
}

/**
 * @param page the address of the page that holds the section.
 * @param schemas the address of the resources' fields that are shown already, by the resource's name. The section adds its own.
 */
export function operationSection(
  route: Route,
  document: OpenApiDocument,
  page: string,
  schemas: Map<string, string>,
): Html {
  const { operation, method, path } = route
  const anchor = anchorOf(operation)
  return html`<section class="operation" id="${anchor}"${reads(route) && html` data-try="${tryable(route, document)}"`}>
<div class="text">
<h2><a href="#${anchor}">${operation.summary}</a></h2>
<p class="route">${methodTag(method)} <code>${breakable(path)}</code></p>
${blocks(descriptionOf(operation))}
${facts(operation)}
${parameterGroups(operation, document)}
${bodyFields(operation, document)}
${answer(operation, document, page, schemas)}
${problemList(operation, document)}
</div>
<div class="samples">${samples(operation)}</div>
</section>
`
}

/** Without the sentence on its scope, which stands beside it. */
export function descriptionOf({ description }: OperationObject): string {
  const [text = ''] = description.split('\n\nScope:')
  return text.replace('Needs no scope.', '').trim()
}

/** Whether a reader may run it without changing anything. A tool that is named here only reads. */
function reads({ method, operation }: Route): boolean {
  return method === 'get' || operation['x-mcp-tool'] !== undefined
}

/** Returns what the script needs to run the operation. */
function tryable({ method, path, operation }: Route, document: OpenApiDocument): string {
  const parameters = operation.parameters
    .map((one) => parameterAt(one, document))
    .filter((one) => one.in !== 'header')
    .map(({ name, in: place, required = false, example = '' }) => ({
      name,
      in: place,
      required,
      example: String(example),
    }))
  const body = operation.requestBody?.content['application/json'].examples.request?.value
  return JSON.stringify({ method: method.toUpperCase(), path, parameters, body })
}

export function methodTag(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`
}

/** A path that a narrow screen may break after each slash. */
export function breakable(path: string): Html {
  return join(
    path.split(/(?<=.)(?=\/)/).map((part) => html`${part}`),
    html`<wbr>`,
  )
}

export function factsOf(operation: OperationObject) {
  return { scope: operation['x-required-scope'], tool: operation['x-mcp-tool'] }
}

function facts(operation: OperationObject): Html {
  const { scope, tool } = factsOf(operation)
  return html`<p class="facts">${scope ? html`Scope <code>${scope}</code>` : html`No scope needed`}${
    tool && html` · MCP tool <code>${tool}</code>`
  }</p>`
}

export function parametersOf(
  { parameters }: OperationObject,
  document: OpenApiDocument,
): (Field & Pick<Parameter, 'in'>)[] {
  return parameters.map((one) => {
    const { name, schema, description, required, in: place } = parameterAt(one, document)
    return { name, schema, description, mark: required ? 'required' : '', in: place }
  })
}

function parameterGroups(operation: OperationObject, document: OpenApiDocument): Html[] {
  const all = parametersOf(operation, document)
  const groups: [Parameter['in'], string][] = [
    ['path', 'Path'],
    ['query', 'Query'],
    ['header', 'Headers'],
  ]
  return groups.flatMap(([place, title]) => {
    const fields = all.filter((one) => one.in === place)
    return fields.length === 0 ? [] : [html`<h3>${title}</h3>${fieldList(fields, document)}`]
  })
}

export function parameterAt(one: Parameter | Ref, document: OpenApiDocument): Parameter {
  if (!('$ref' in one)) return one
  const found = document.components.parameters[refName(one.$ref)]
  if (!found) throw new Error(`nothing at ${one.$ref}`)
  return found
}

function bodyFields({ requestBody }: OperationObject, document: OpenApiDocument): Html | null {
  if (!requestBody) return null
  const { schema } = requestBody.content['application/json']
  return html`<h3>Body</h3>${requestFields(schema, document)}`
}

function answer(
  { responses }: OperationObject,
  document: OpenApiDocument,
  page: string,
  schemas: Map<string, string>,
): Html {
  const [first, ...others] = successes(responses) as [string, Response][]
  const schema = first?.[1].content?.['application/json']?.schema
  const status = html`<b class="status">${first?.[0]}</b>`
  const also = others.map(([code, { description }]) => html`<p><b class="status">${code}</b> ${description}</p>`)
  return html`<h3>Answer</h3>
${also}${schema ? resource(status, schema, document, page, schemas) : html`<p>${status} ${first?.[1].description}</p>`}`
}

/** The resource's fields, or a link to them. */
function resource(
  status: Html,
  schema: JsonSchema,
  document: OpenApiDocument,
  page: string,
  schemas: Map<string, string>,
): Html | null {
  const { data, next_cursor: cursor, ...others } = schema.properties ?? {}
  const one = data?.items ?? data
  if (!one) return null
  const beside =
    Object.keys(others).length === 0
      ? null
      : answerFields({ properties: others, required: Object.keys(others) }, document)
  if (!one.$ref) return html`<p>${status}</p>${answerFields(one, document)}${beside}`
  const name = shownName(refName(one.$ref), document)
  const words = html`${status} ${cursor ? 'A page of' : data?.items ? 'A list of' : 'One'}`
  const known = schemas.get(name)
  if (known !== undefined) return html`<p>${words} <a href="${known}">${name}</a>.</p>${beside}`
  schemas.set(name, `${page}#schema-${name}`)
  return html`<div class="resource" id="schema-${name}"><p>${words} <a href="#schema-${name}">${name}</a>:</p>
${answerFields(one, document)}</div>${beside}`
}

export function problemsOf(
  { responses }: OperationObject,
  document: OpenApiDocument,
): { status: string; slug: string }[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!/^[45]/.test(status) || !('$ref' in response)) return []
    const examples =
      document.components.responses[refName(response.$ref)]?.content?.['application/problem+json']?.examples ?? {}
    return Object.keys(examples).map((slug) => ({ status, slug }))
  })
}

function problemList(operation: OperationObject, document: OpenApiDocument): Html {
  const problems = problemsOf(operation, document).map(
    ({ status, slug }) => html`<li><a href="/problems/${slug}"><b>${status}</b> ${slug}</a></li>`,
  )
  return html`<h3>Problems</h3><ul class="problems">${problems}</ul>`
}
