// An instant as answers write it: in the clinic's zone, with the offset that holds there.

/** An instant with the time zone's offset, whole seconds: `2026-07-12T09:30:00+03:00`. */
export function zonedInstant(epochMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(new Date(epochMs))
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const offset = part('timeZoneName').slice(3) || '+00:00'
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}
