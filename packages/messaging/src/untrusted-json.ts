// Reads foreign JSON: a missing or unexpected value counts as empty, and every text is bounded.

export type Fields = Readonly<Record<string, unknown>>

/** The object's fields. Empty when the value is not an object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The list's items. Empty when the value is not a list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Makes a text storable and cuts it to `max` characters. Null when nothing is left. */
export function boundedText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  // JSON can carry NUL and half characters, which PostgreSQL cannot store.
  return cutText(value.toWellFormed().replaceAll('\0', ''), max) || null
}

/** Returns an id whole or not at all, because part of an id would name something else. */
export function wholeId(value: unknown, form: RegExp): string | null {
  return typeof value === 'string' && form.test(value) ? value : null
}

/** Returns undefined when the JSON is invalid. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** The first `max` characters, counted as the database counts them. No character is cut in half. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  let count = 0
  for (const character of text) {
    if (count === max) break
    count += 1
    end += character.length
  }
  return text.slice(0, end)
}
