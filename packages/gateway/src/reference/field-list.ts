// An object's fields as a list, with those of embedded objects inside.
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import { type Html, html, join } from './html.ts'
import { inline } from './markdown.ts'
import { boundWords, followed, refName, typeWords } from './schema-words.ts'

/** The depth to which embedded objects are expanded. */
const DEPTH = 3

/** One line of a list: a field, a parameter or a header. */
export interface Field {
  name: string
  schema: JsonSchema
  description: string
  /** `required`, `optional` or `detailed`: the field's mark. */
  mark: string
}

/** A resource's fields in answers. Marks the fields that only its detailed form has. */
export function answerFields(schema: JsonSchema, document: OpenApiDocument): Html {
  const name = schema.$ref ? refName(schema.$ref) : ''
  const concise = name.endsWith('Detailed') ? document.components.schemas[name.replace(/Detailed$/, '')] : undefined
  const { properties = {}, required = [] } = followed(schema, document)
  const isExtra = (field: string) => concise?.properties !== undefined && !(field in concise.properties)
  const fields = Object.entries(properties).map(([field, one]) =>
    fieldOf(field, one, isExtra(field) ? 'detailed' : required.includes(field) ? '' : 'optional'),
  )
  return fieldList(fields, document)
}

/** A body's fields as a client sends them. */
export function requestFields(schema: JsonSchema, document: OpenApiDocument): Html {
  return fieldList(bodyFieldsOf(schema, document), document)
}

export function bodyFieldsOf(schema: JsonSchema, document: OpenApiDocument): Field[] {
  return ownFields(followed(schema, document))
}

function ownFields({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, one]) => fieldOf(name, one, required.includes(name) ? 'required' : ''))
}

function fieldOf(name: string, schema: JsonSchema, mark: string): Field {
  return { name, schema, description: schema.description ?? '', mark }
}

export function fieldList(fields: readonly Field[], document: OpenApiDocument, depth = 0): Html {
  return html`<ul class="fields">${fields.map((field) => fieldLine(field, document, depth))}</ul>`
}

function fieldLine({ name, schema, description, mark }: Field, document: OpenApiDocument, depth: number): Html {
  const choices = schema.enum ?? schema.items?.enum
  return html`<li>
<p class="field"><code>${name}</code> <span class="type">${typeWords(schema, document)}</span>${boundWords(schema).map(
    (words) => html` <span class="bound">${words}</span>`,
  )}${mark && html` <span class="mark ${mark}">${mark}</span>`}</p>
${description && html`<p class="about">${inline(description)}</p>`}
${choices && html`<p class="choices">${choiceList(choices)}</p>`}
${embedded(schema, document, depth)}</li>`
}

function choiceList(choices: readonly (string | null)[]): Html {
  return join(
    choices.filter((choice) => choice !== null).map((choice) => html`<code>${choice}</code>`),
    html` `,
  )
}

/** The inner fields: of an object, of a list's items, of the one variant of a choice that is an object. */
function embedded(schema: JsonSchema, document: OpenApiDocument, depth: number): Html | null {
  const inner = followed(schema.items ?? schema, document)
  const object =
    inner.anyOf?.map((variant) => followed(variant, document)).find(({ properties }) => properties) ?? inner
  if (!object.properties || depth >= DEPTH) return null
  const isStrict = object.additionalProperties === false
  const fields = isStrict
    ? ownFields(object)
    : Object.entries(object.properties).map(([name, one]) =>
        fieldOf(name, one, object.required?.includes(name) ? '' : 'optional'),
      )
  return fieldList(fields, document, depth + 1)
}
