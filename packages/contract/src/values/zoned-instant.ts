// Writes an instant in a clinic's zone, with the offset that applies there at that instant.

const MINUTE_MS = 60_000
/** Offsets change only at quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS
/** Limits the cache to some weeks of quarters. Then the cache is emptied. */
const MAX_REMEMBERED = 5_000

const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, string>()

/**
 * With three decimals, like `created_at` and `updated_at`, or with none, like times that a clinic gives.
 *
 * @example zonedInstant(new Date('2026-07-12T06:30:00.123Z'), 'Asia/Jerusalem', 3) // '2026-07-12T09:30:00.123+03:00'
 */
export function zonedInstant(instant: Date, timeZone: string, decimals: 0 | 3): string {
  const offset = offsetAt(instant, timeZone)
  const sign = offset.startsWith('-') ? -1 : 1
  const ahead = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))) * MINUTE_MS
  return new Date(instant.getTime() + ahead).toISOString().slice(0, decimals === 3 ? 23 : 19) + offset
}

function offsetAt(instant: Date, timeZone: string): string {
  const key = `${timeZone} ${Math.floor(instant.getTime() / QUARTER_MS)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  if (offsets.size >= MAX_REMEMBERED) offsets.clear()
  const parts = formatOf(timeZone).formatToParts(instant)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const offset = name === 'GMT' ? '+00:00' : name.slice(3, 9)
  offsets.set(key, offset)
  return offset
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  return format
}
