// The bodies that cost most to refuse: many values, long texts, deep nesting, in every field of an operation.
import { REQUEST } from '@clinic-data/contract'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { sized } from '@clinic-data/testing/run/size'

export interface Worst {
  readonly schema: JsonSchema
  readonly example: object
  readonly bytes: number
}

/**
 * The bodies by the reason for their cost. Each is JSON of at most `bytes`. The fields get bad values each by itself.
 * @param isWhole - also those that do not follow from the fields.
 */
export function worstBodies(
  { schema, example, bytes }: Worst,
  {
    fields = Object.keys(schema.properties ?? {}),
    isWhole = true,
  }: { readonly fields?: readonly string[]; readonly isWhole?: boolean } = {},
): Record<string, string> {
  const bodies = isWhole ? worstAltogether(Object.keys(schema.properties ?? {}), example, bytes) : {}
  for (const name of fields) {
    const field = schema.properties?.[name]
    for (const [what, value] of worstValues(field as JsonSchema, bytes)) {
      bodies[`${name}: ${what}`] = JSON.stringify({ ...example, [name]: value })
    }
  }
  return bodies
}

/** Returns what a field's cost follows from. Its words and its bounds do not matter, nor which values it may have. */
export function kindOf(field: JsonSchema): string {
  const isWords = (name: string) => /^(description|title|examples?|default|deprecated|\$?id)$|^(min|max)/i.test(name)
  return JSON.stringify(field, (name, value) =>
    isWords(name) && typeof value !== 'object' ? undefined : name === 'enum' ? true : value,
  )
}

/** The bytes around a field's value, and the example around it. */
const AROUND = 2_000

/** The most values of a body of that size, less a few for the example. */
function valuesIn(bytes: number): number {
  return Math.min(REQUEST.json_values - 100, Math.floor((bytes - AROUND) / 16))
}

function worstAltogether(names: readonly string[], example: object, bytes: number): Record<string, string> {
  const most = valuesIn(bytes)
  const text = '5'.repeat((bytes - AROUND) / (names.length + 1))
  return {
    'more values than are read': `[${'0,'.repeat(bytes / 2 - 2)}0]`,
    'more keys than are read': JSON.stringify(members(bytes / 12, 0)),
    'unknown keys': JSON.stringify({ ...example, ...members(most, 0) }),
    'unknown keys with long names': JSON.stringify(members(100, 0, 'n'.repeat(bytes / 110))),
    'a list': JSON.stringify(times(most, (at) => at)),
    'a long text in each field': JSON.stringify({
      unknown: 0,
      ...Object.fromEntries(names.map((name) => [name, text])),
    }),
    'white space': JSON.stringify({ ...example, unknown: 1 }).padStart(bytes),
    escapes: `{"unknown":"${'\\u05d0'.repeat(bytes / 6 - 20)}"}`,
    'quotes in a text': `{"unknown":"${'\\"'.repeat(bytes / 2 - 20)}"}`,
    'what cannot be stored': `[${'"\\u0000",'.repeat(Math.min(most, bytes / 9 - 20))}0]`,
    'lists in lists': JSON.stringify(times(most / 60, () => nested(14))),
    'a text without an end': `{"unknown":"${'a'.repeat(bytes - 20)}`,
  }
}

/** CI tries there what nobody looks into where a text or a number belongs. */
const ONLY_WITHIN = new Set(
  sized({
    everyday: ['a list of one text', 'a list of objects', 'a list of items', 'a list of lists', 'keys with lists'],
    long: [],
  }),
)

/** Nobody reads a text where none belongs. One is tried there every day, the others in CI. */
const ONLY_AS_TEXT = new Set(
  sized({
    everyday: ['spaces', 'commas', 'a long address', 'letters and signs', 'letters of two bytes'],
    long: [],
  }),
)

/** Values of one field, following its schema's items. */
function worstValues(field: JsonSchema, bytes: number): [what: string, value: unknown][] {
  const { type, items, properties, additionalProperties } = field
  const hasInside = Boolean(items ?? properties ?? additionalProperties)
  const mayBeText = type === undefined || [type].flat().includes('string')
  return Object.entries(valuesOf(items, bytes)).filter(
    ([what]) => (hasInside || !ONLY_WITHIN.has(what)) && (mayBeText || !ONLY_AS_TEXT.has(what)),
  )
}

function valuesOf(items: JsonSchema['items'], bytes: number): Record<string, unknown> {
  const most = valuesIn(bytes)
  const long = bytes - AROUND
  const item = Object.fromEntries(Object.keys(items?.properties ?? {}).map((name) => [name, 'x']))
  return {
    'a list of texts': times(most, (at) => `x${at}`),
    'a list of one text': times(most, () => 'x'),
    'a list of objects': times(most / 2, (at) => ({ [`x${at % 7}`]: at })),
    'a list of items': times(Math.min(most, long / 50) / (Object.keys(item).length + 1), () => item),
    'a list of lists': times(most / 2, () => [0]),
    'keys with texts': members(most, 'x'),
    'keys with lists': members(most / 2, [0]),
    digits: '5'.repeat(long),
    spaces: ' '.repeat(long),
    commas: ','.repeat(long),
    'a long address': `https://${'a.'.repeat(long / 2 - 4)}`,
    'letters and signs': 'a@.'.repeat(long / 3),
    'letters of two bytes': '\u0660'.repeat(long / 2),
  }
}

function times<T>(count: number, of: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => of(at))
}

function members(count: number, value: unknown, name = 'k'): Record<string, unknown> {
  return Object.fromEntries(times(count, (at) => [name + at, value]))
}

function nested(depth: number): unknown {
  return times(depth, () => 0).reduce((inner: unknown) => ({ a: [inner] }), 'x')
}
