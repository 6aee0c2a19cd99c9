// A JavaScript value as the text which PostgreSQL reads for a parameter.
//
// Everything is turned to text here, before the driver sees it: a value which the driver cannot serialise would leave a
// closed prepared statement behind on a shared connection. What has no faithful text is refused, never guessed.

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

// UTF-8 has no lone surrogates and PostgreSQL has no NUL: the first would silently become U+FFFD, the second would be
// refused by the server only after the transaction had begun.
function wellFormed(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new TypeError("a text with a lone surrogate or a NUL cannot be a statement's value")
  }
  return text
}

// PostgreSQL reads neither a sign nor six digits before a year; years out of its ordinary range are no clinic's.
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
