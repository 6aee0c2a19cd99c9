// Writes the contract's schemas as Python types: a TypedDict for each object, and a name for each list of values.
//
// An answer's values are plain texts, because a later version may add some. Only an input names those that the service takes.

import { sharedValues } from '@clinic-data/contract/generators/openapi-shapes'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { pythonLiteral } from '@clinic-data/contract/samples/python'
import { pascal } from '../../client/scripts/resource-types.ts'
import { docstring, sentence, wrapped } from './python-text.ts'

/** Whether a value is sent or came as an answer. */
export type Way = 'sent' | 'answered'

const valuesName = new Map(Object.entries(sharedValues).map(([name, values]) => [values.join(), name]))
/** A name that Python uses for something else. */
const RENAMED: Readonly<Record<string, string>> = { Warning: 'ListWarning' }
/** What a program may hold that the service takes as a text. A datetime is a date. */
const TIMES: Readonly<Record<string, string>> = {
  date: 'date',
  day: 'date',
  instant: 'datetime',
  'day-or-instant': 'date',
  'recorded-instant': 'date',
}
/** A longer example is no help in an editor's box. Neither is an object, whose fields have their own. */
const MAX_EXAMPLE = 90
const INDENT = '    '

/** The classes of all types that were mentioned, by their names. */
export class PythonTypes {
  readonly declared = new Map<string, string>()
  /** The way and the schema that each name stands for. */
  readonly #meaning = new Map<string, string>()
  readonly #about: (name: string) => string

  /** @param about says what a named type is for. */
  constructor(about: (name: string) => string) {
    this.#about = about
  }

  /** The type of a schema. @param name of the class, if the schema is an object without a name. */
  text(schema: JsonSchema, way: Way, name: string, example?: unknown): string {
    const union = (schema.anyOf ?? []).filter((part) => Object.keys(part).join() !== 'required')
    const parts =
      union.length > 0
        ? union.map((part) => this.text(part, way, name))
        : [schema.type ?? []].flat().map((type) => this.#oneType(schema, type, way, name, example))
    return [...new Set(parts)].join(' | ')
  }

  #oneType(schema: JsonSchema, type: string, way: Way, name: string, example: unknown): string {
    switch (type) {
      case 'null':
        return 'None'
      case 'boolean':
        return 'bool'
      case 'integer':
        return 'int'
      case 'number':
        // Programs that compute with amounts hold them as Decimals.
        return way === 'sent' ? 'float | Decimal' : 'float'
      case 'string':
        // A value of any kind may be a day, as in the filters of analytics.
        return way === 'sent' && schema.type?.includes('number') ? 'date | str' : stringText(schema, way)
      case 'array': {
        const item = this.text(schema.items ?? {}, way, name.replace(/s$/, ''), firstOf(example))
        return way === 'sent' ? `Sequence[${item}]` : `list[${item}]`
      }
      case 'object':
        return this.#object(schema, way, name, example)
      default:
        throw new Error(`a type that the client does not write: ${type}`)
    }
  }

  #object(schema: JsonSchema, way: Way, name: string, example: unknown): string {
    const { title, properties, additionalProperties } = schema
    if (!properties) {
      const value = typeof additionalProperties === 'object' ? this.text(additionalProperties, way, name) : 'Any'
      return way === 'sent' ? `Mapping[str, ${value}]` : `dict[str, ${value}]`
    }
    // A list of the catalog may have the name of a field, such as `AppointmentStatus`.
    const named = title === undefined ? `${name}${name.endsWith('Answer') ? '' : 'Part'}` : (RENAMED[title] ?? title)
    // Its `data` depends on its type: `event-types-text.ts` says how.
    if (named !== 'EventEnvelope') this.#declare(named, schema, way, title ? schema.examples?.[0] : example)
    return named
  }

  #declare(name: string, schema: JsonSchema, way: Way, example: unknown): void {
    const meaning = `${way} ${JSON.stringify({ ...schema, type: 'object', examples: [], description: '', absentIs: undefined })}`
    const known = this.#meaning.get(name)
    if (known !== undefined && known !== meaning) throw new Error(`two types are named ${name}`)
    if (known !== undefined) return
    this.#meaning.set(name, meaning)
    // First its place, then its text: what it mentions stands behind it.
    this.declared.set(name, '')
    this.declared.set(name, this.#classText(name, schema, way, example))
  }

  #classText(name: string, schema: JsonSchema, way: Way, example: unknown): string {
    const { properties = {}, required = [], title } = schema
    const about = docstring(wrapped(this.#about(title ?? name), INDENT), INDENT)
    const field = (one: string) => this.#field(one, name, properties[one] ?? {}, way, example)
    const isNeeded = (one: string) => required.includes(one)
    const names = Object.keys(properties)
    const base = this.#base(name, properties, required)
    const own = names.filter((one) => !base?.fields.includes(one))
    const needed = own.filter(isNeeded)
    const others = own.filter((one) => !isNeeded(one))
    if (base && needed.length > 0 && others.length > 0) throw new Error(`${name} adds needed fields and others`)
    const classOf = (head: string, fields: readonly string[]) =>
      [head, ...about, '', ...fields.flatMap(field)].join('\n')
    if (base && needed.length > 0) return classOf(`class ${name}(${base.name}):`, needed)
    if (base) return classOf(`class ${name}(${base.name}, total=False):`, others)
    if (others.length === 0) return classOf(`class ${name}(TypedDict):`, needed)
    if (needed.length === 0) return classOf(`class ${name}(TypedDict, total=False):`, others)
    const first = [`class _${name}Needed(TypedDict):`, ...needed.flatMap(field)].join('\n')
    return `${first}\n\n\n${classOf(`class ${name}(_${name}Needed, total=False):`, others)}`
  }

  /** What `PatientDetailed` adds to: a `Patient`, whose fields it has all. */
  #base(name: string, properties: Record<string, JsonSchema>, required: readonly string[]) {
    const base = name.replace(/Detailed$/, '')
    const known = this.#meaning.get(base)
    if (base === name || known === undefined) return undefined
    const schema = JSON.parse(known.slice(known.indexOf(' '))) as JsonSchema
    const fields = Object.keys(schema.properties ?? {})
    const isSame = (one: string) => JSON.stringify(schema.properties?.[one]) === JSON.stringify(properties[one])
    return fields.every((one) => isSame(one) && required.includes(one)) ? { name: base, fields } : undefined
  }

  #field(field: string, owner: string, schema: JsonSchema, way: Way, example: unknown): string[] {
    if (!/^[a-z_][a-z0-9_]*$/.test(field)) throw new Error(`no name of a field: ${owner}.${field}`)
    const value = (example as Record<string, unknown> | undefined)?.[field]
    const type = this.text(schema, way, `${owner.replace(/Part$/, '')}${pascal(field)}`, value)
    return [`${INDENT}${field}: ${type}`, ...fieldText(schema, way, value)]
  }
}

function firstOf(example: unknown): unknown {
  return Array.isArray(example) ? example[0] : undefined
}

function stringText({ enum: listed, const: only, format }: JsonSchema, way: Way): string {
  // Joined with commas, as in the URL.
  if (format === 'event-types') return 'Sequence[EventType] | str'
  if (format === 'ids') return 'Sequence[str] | str'
  if (way === 'answered') return 'str'
  if (only !== undefined) return `Literal[${pythonLiteral(only)}]`
  if (!listed) return format && TIMES[format] ? `${TIMES[format]} | str` : 'str'
  const values = listed.filter((value) => value !== null)
  return valuesName.get(values.join()) ?? `Literal[${values.map((one) => pythonLiteral(one)).join(', ')}]`
}

/** The docstring below a field: what it means, its values, and an example. */
function fieldText(schema: JsonSchema, way: Way, example: unknown): string[] {
  const text = describedValue(schema, way, example)
  return text === '' ? [] : docstring(wrapped(text, INDENT), INDENT)
}

/** What a field or an argument means, with its values and an example. */
export function describedValue(schema: JsonSchema, way: Way, example: unknown): string {
  const { description, maxLength } = schema
  const values = (schema.enum ?? schema.items?.enum ?? []).filter((value) => value !== null)
  const text = JSON.stringify(example)
  const isShown = text !== undefined && text !== 'null' && !text.includes('{') && text.length <= MAX_EXAMPLE
  return [
    ...(description ? [sentence(description)] : []),
    ...(way === 'answered' && values.length > 0
      ? [`One of ${values.map((value) => `\`${value}\``).join(', ')}, or one of a later version.`]
      : []),
    ...(isShown ? [`Example: \`${pythonLiteral(example)}\`.`] : []),
    ...(!description && !isShown && maxLength !== undefined ? [`At most ${maxLength} characters.`] : []),
  ].join(' ')
}

/** The list of values that several inputs share. */
export function valuesText(name: string, values: readonly string[]): string {
  return `${name} = Literal[\n${values.map((value) => `${INDENT}${pythonLiteral(value)},`).join('\n')}\n]`
}

export { jsonSchemaOf }
