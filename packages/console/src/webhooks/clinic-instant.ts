// The instant of a time that was written by the clinic's clock, whatever the zone of the browser.

/** @param local as a field for date and time gives it: '2026-07-12T09:30' */
export function clinicInstant(local: string, timeZone: string): string {
  const asUtc = Date.parse(`${local}Z`)
  // The offset of the zone at that moment. The second look is for the hours around a change of the clock.
  const first = asUtc - offsetAt(asUtc, timeZone)
  return new Date(asUtc - offsetAt(first, timeZone)).toISOString()
}

/** In milliseconds, east of Greenwich. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}
