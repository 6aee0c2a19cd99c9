// Converts a JavaScript value to the text that PostgreSQL reads for a parameter.
//
// All values become text here, before the driver sees them. A value that the driver cannot serialize would leave a closed prepared
// statement behind on a shared connection. A value without an exact text is refused, never guessed.

export type SqlScalar = string | number | boolean | bigint | null | Date | Uint8Array
export type SqlValue = SqlScalar | readonly SqlScalar[]

export function parameterText(value: SqlValue): string | null {
  if (typeof value === 'string') return wellFormed(value)
  if (value === null) return null
  if (Array.isArray(value)) return arrayText(value)
  return scalarText(value as Exclude<SqlScalar, string | null>)
}

function scalarText(value: Exclude<SqlScalar, string | null>): string {
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be a statement's value`)
      return String(value)
    case 'boolean':
      return value ? 't' : 'f'
    case 'bigint':
      return String(value)
    case 'object':
      if (value instanceof Date) return dateText(value)
      if (value instanceof Uint8Array)
        return `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
  }
  throw new TypeError(`a value of type ${typeof value} cannot be a statement's value`)
}

// UTF-8 has no lone surrogates and PostgreSQL has no NUL. The first would silently become U+FFFD. The server would refuse the
// second only after the transaction had begun.
function wellFormed(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new TypeError("a text with a lone surrogate or a NUL cannot be a statement's value")
  }
  return text
}

// PostgreSQL reads neither a sign nor six digits before a year. No clinic uses years outside its ordinary range.
function dateText(date: Date): string {
  const text = date.toISOString()
  if (text.length !== 24) throw new TypeError(`the instant ${text} cannot be a statement's value`)
  return text
}

function arrayText(values: readonly SqlScalar[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ','
    const value = values[i] as SqlScalar
    if (value === null) text += 'NULL'
    else if (typeof value === 'string') text += quoted(wellFormed(value))
    else text += quoted(scalarText(value))
  }
  return `${text}}`
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
