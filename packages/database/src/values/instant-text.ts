// Converts PostgreSQL's text of an instant, printed in the session's zone, to the RFC 3339 text of an answer.
//
// Every row of every answer passes here several times, so the ordinary text is cut and joined, never parsed.

const COLON = 58
const DIGIT_0 = 48
const DOT = 46
const SPACE = 32

/**
 * Turns `2026-07-12 09:30:00.123+03` into `2026-07-12T09:30:00.123+03:00`, always with milliseconds. Null for null and for values
 * that RFC 3339 cannot express: infinities, and years that do not have four digits.
 */
export function instant(text: string | null): string | null {
  return text === null ? null : rewritten(text, true)
}

/** The same without decimals: `2026-07-12T09:30:00+03:00`. */
export function wholeSecond(text: string | null): string | null {
  return text === null ? null : rewritten(text, false)
}

/** The row with these columns as RFC 3339. */
export function withInstants<Row extends object, Column extends keyof Row>(row: Row, ...columns: Column[]): Row {
  const shown = { ...row }
  for (const column of columns) shown[column] = instant(row[column] as string | null) as Row[Column]
  return shown
}

function rewritten(text: string, withMilliseconds: boolean): string | null {
  if (text.charCodeAt(10) !== SPACE) return null
  const sign = signAt(text)
  const length = text.length - sign
  const date = text.slice(0, 10)
  const time = text.slice(11, 19)
  const decimals = withMilliseconds ? milliseconds(text, sign) : ''
  if (length === 3) return `${date}T${time}${decimals}${text.slice(sign)}:00`
  if (text.charCodeAt(sign + 3) !== COLON) return null
  if (length === 6) return `${date}T${time}${decimals}${text.slice(sign)}`
  return length === 9 ? localMeanTime(`${date}T${time}${decimals}Z`, text.slice(sign)) : null
}

function signAt(text: string): number {
  if (text.charCodeAt(19) !== DOT) return 19
  let at = 21
  while (text.charCodeAt(at) >= DIGIT_0) at++
  return at
}

/** PostgreSQL prints up to six decimals and omits zeros at the end. */
function milliseconds(text: string, sign: number): string {
  if (sign >= 23) return text.slice(19, 23)
  if (sign === 22) return `${text.slice(19, 22)}0`
  return sign === 21 ? `${text.slice(19, 21)}00` : '.000'
}

/**
 * Before time zones were agreed upon, an offset had seconds (`+02:20:40`), which RFC 3339 cannot express. Such an instant is
 * printed in UTC.
 */
function localMeanTime(asUtc: string, offset: string): string | null {
  if (offset.charCodeAt(6) !== COLON) return null
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number)
  const ahead = (hours * 3600 + minutes * 60 + seconds) * (offset.startsWith('-') ? -1000 : 1000)
  const utc = new Date(Date.parse(asUtc) - ahead).toISOString()
  return `${asUtc.length === 24 ? utc.slice(0, 23) : utc.slice(0, 19)}+00:00`
}
