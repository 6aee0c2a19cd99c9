// Writes the values that a program sends, so that they arrive as they were meant. JSON turns NaN into null without a word.

/** A query with its `?`, or nothing. Undefined values are omitted. @throws TypeError that names the parameter. */
export function search(query: Readonly<Record<string, unknown>>): string {
  let written = ''
  for (const name in query) {
    const value = query[name]
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) checkText(name, one)
    written += `${written ? '&' : '?'}${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  }
  return written
}

/** Null is no value of a parameter, and left out it would widen the question: only the caller knows which was meant. */
function checkText(name: string, value: unknown): void {
  if (value === null) throw new TypeError(`${name} is null: leave it out, or give undefined, to ask without it`)
  checkNumber(name, value)
  if (typeof value === 'object' || value === undefined)
    throw new TypeError(`${name} must be a text, a number, a boolean or a list of texts (of a Date, its toISOString())`)
}

function checkNumber(name: string, value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${name} is ${value}, which is not a number that can be sent`)
}

/** The body as JSON. @throws TypeError that names the field of a NaN or an infinity, such as `filters[0].value`. */
export function jsonText(body: unknown): string {
  const text = JSON.stringify(body)
  checkNumbers('', body)
  return text
}

function checkNumbers(path: string, value: unknown): void {
  checkNumber(path || 'the body', value instanceof Date ? value.getTime() : value)
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`
    checkNumbers(path + step, one)
  }
}
