// A group of operations in Markdown: what each takes, its samples, its answer and its problems.
import { FENCES } from '@clinic-data/contract/projections/code-samples'
import type { OpenApiDocument, OperationObject } from '@clinic-data/contract/projections/openapi-document'
import type { Group } from './contents.ts'
import { bodyFieldsOf, type Field } from './field-list.ts'
import { descriptionOf, factsOf, parametersOf, problemsOf, type Route } from './operation-section.ts'
import { LANGUAGES, successes } from './samples.ts'
import { boundWords, typeWords } from './schema-words.ts'

export function groupMarkdown({ description, routes }: Group, document: OpenApiDocument): string {
  return [description, ...routes.map((route) => operationMarkdown(route, document))].join('\n\n')
}

function operationMarkdown({ method, path, operation }: Route, document: OpenApiDocument): string {
  const { scope, tool } = factsOf(operation)
  const facts = [`\`${method.toUpperCase()} ${path}\``, scope ? `scope \`${scope}\`` : 'no scope needed']
  const parts = [
    `## ${operation.summary}`,
    [...facts, ...(tool === undefined ? [] : [`MCP tool \`${tool}\``])].join(' · '),
    descriptionOf(operation),
    fieldTable('Parameter', parametersOf(operation, document).map(withPlace), document),
    bodyTable(operation, document),
    ...operation['x-codeSamples'].map(({ label, lang, source }) =>
      fenced(LANGUAGES[label] ?? label, FENCES[lang], source),
    ),
    answerOf(operation),
    `Problems: ${problemsOf(operation, document)
      .map(({ status, slug }) => `${status} \`${slug}\``)
      .join(', ')}.`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** A parameter stands in the query, unless its row says otherwise. */
function withPlace({ in: place, mark, ...field }: ReturnType<typeof parametersOf>[number]): Field {
  return { ...field, mark: [place === 'query' ? '' : `in the ${place}`, mark].filter((one) => one !== '').join(', ') }
}

function bodyTable({ requestBody }: OperationObject, document: OpenApiDocument): string {
  if (!requestBody) return ''
  return fieldTable(
    'Field of the body',
    bodyFieldsOf(requestBody.content['application/json'].schema, document),
    document,
  )
}

function fieldTable(title: string, fields: readonly Field[], document: OpenApiDocument): string {
  if (fields.length === 0) return ''
  const rows = fields.map(({ name, schema, description, mark }) => {
    const choices = (schema.enum ?? schema.items?.enum ?? []).filter((choice) => choice !== null)
    const type = [typeWords(schema, document), ...boundWords(schema), ...(mark ? [mark] : [])].join(', ')
    const words =
      choices.length > 0 ? `${description} One of ${choices.map((one) => `\`${one}\``).join(', ')}.` : description
    return [`\`${name}\``, type, words.trim()]
  })
  return table([title, 'Type', 'Meaning'], rows)
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

/** The first success with its example. The OpenAPI document has the types of its fields. */
function answerOf({ responses }: OperationObject): string {
  const [first] = successes(responses)
  if (first === undefined) return ''
  const [status, response] = first
  const examples = ('content' in response && response.content?.['application/json']?.examples) || {}
  const [example] = Object.values(examples)
  return example === undefined
    ? `It answers ${status}.`
    : fenced(`Answer ${status}`, 'json', JSON.stringify(example.value, null, 2))
}

export function fenced(label: string, language: string, source: string): string {
  return `${label}:\n\n\`\`\`${language}\n${source.trimEnd()}\n\`\`\``
}
