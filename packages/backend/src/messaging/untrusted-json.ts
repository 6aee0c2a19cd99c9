// Reads foreign JSON: a missing or unexpected value counts as empty, and every text is bounded.

export type Fields = Readonly<Record<string, unknown>>

/** The object's fields; none when it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The list's items; none when it is no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text of at most `max` characters that can be stored, or null when nothing is left of it. */
export function boundedText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  // PostgreSQL stores neither NUL nor half a character; JSON can carry both.
  return cutText(value.toWellFormed().replaceAll('\0', ''), max) || null
}

/** An id is used whole or not at all: a part of it would name something else. */
export function wholeId(value: unknown, form: RegExp): string | null {
  return typeof value === 'string' && form.test(value) ? value : null
}

/** Parses JSON. Undefined when it is invalid. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** The first `max` characters, counted like the database counts them. None is cut in half. */
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
