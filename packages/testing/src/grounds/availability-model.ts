// Computes availability the slow way: checks each minute of each provider separately, by the wall clock.

export interface ModelClinic {
  period: { time_zone: string; from: string; to: string }
  /** In minutes from the start of the UTC day before the period, as all spans are; the seconds are a fraction. */
  now: number
  min_visit_minutes: number
  /** On the clock of the wall: the first slot of today begins on such a minute. */
  slot_step_minutes: number
  hours: { provider_id: string; branch_id: string; weekday: number; window: { opens: number; closes: number } }[]
  off: { provider_id: string | null; branch_id: string | null; span: Span }[]
  busy: { provider_id: string; span: Span; cancelled: boolean; endless: Endless | null }[]
  provider_id: string | null
  /** The length that is asked for. */
  duration_minutes: number | null
}

export interface Span {
  start: number
  end: number
}

/** An appointment without an end: how long its type takes, or null for one without a type. */
export interface Endless {
  duration_minutes: number | null
}

export interface WallMinute {
  /** `YYYY-MM-DD`. */
  day: string
  weekday: number
  /** The minute of the day, by the clock on the wall. */
  minute: number
}

const MINUTE_MS = 60_000

export interface Free {
  minutes: string[]
  /** The minutes at which a visit may start: that one and the following ones are free, as many as the visit has. */
  starts: string[]
  /** How many slots the free minutes form. */
  slots: number
}

/** The shortest visit of the clinic, or the longer one that is asked for. */
export function visitMinutes({ min_visit_minutes, duration_minutes }: ModelClinic): number {
  return duration_minutes !== null && duration_minutes > min_visit_minutes ? duration_minutes : min_visit_minutes
}

/** Returns what is free at the branch `here`. */
export function freeMinutes(model: ModelClinic, epoch: number): Free {
  const { from, to, time_zone } = model.period
  const length = (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / MINUTE_MS + 4 * 24 * 60
  const wall = wallMinutes(time_zone, epoch, length)
  const isStep = ({ minute }: WallMinute) => minute % model.slot_step_minutes === 0
  const earliest = wall.findIndex((here, at) => at >= model.now && isStep(here))
  const visit = visitMinutes(model)
  const minutes: string[] = []
  const starts: string[] = []
  let slots = 0
  for (const provider_id of ['dr-a', 'dr-b']) {
    if (model.provider_id !== null && model.provider_id !== provider_id) continue
    let run: number[] = []
    for (let at = 0; at <= length; at++) {
      const here = wall[at]
      const isFree =
        here !== undefined &&
        here.day >= from &&
        here.day <= to &&
        earliest !== -1 &&
        at >= earliest &&
        freeAt(model, provider_id, wall, at)
      if (isFree && (run.length === 0 || wall[at - 1]?.day === here.day)) {
        run.push(at)
        continue
      }
      if (run.length >= visit) {
        const named = run.map((minute) => `${provider_id} ${epoch + minute * MINUTE_MS}`)
        minutes.push(...named)
        starts.push(...named.filter((_, nth) => named.slice(nth, nth + visit).length === visit))
        slots += 1
      }
      run = isFree ? [at] : []
    }
  }
  return { minutes, starts, slots }
}

function freeAt(model: ModelClinic, provider_id: string, wall: WallMinute[], at: number): boolean {
  const within = ({ start, end }: Span) => at >= start && at < end
  return (
    model.hours.some(
      (hours) => hours.provider_id === provider_id && hours.branch_id === 'here' && opens(hours, wall, at),
    ) &&
    !model.busy.some((busy) => busy.provider_id === provider_id && !busy.cancelled && within(takenBy(model, busy))) &&
    !model.off.some(
      (off) =>
        (off.provider_id === null || off.provider_id === provider_id) &&
        (off.branch_id === null || off.branch_id === 'here') &&
        within(off.span),
    )
  )
}

function takenBy({ min_visit_minutes }: ModelClinic, { span, endless }: ModelClinic['busy'][number]): Span {
  if (endless === null) return span
  return { start: span.start, end: span.start + (endless.duration_minutes || min_visit_minutes) }
}

/**
 * Whether the window has begun and not ended at this minute: it begins when the clock last shows its start, and ends when
 * it last shows its end; a time that the clock skips counts as the same time after the start of the gap.
 */
export function opens({ weekday, window }: ModelClinic['hours'][number], wall: WallMinute[], at: number): boolean {
  const here = wall[at]
  if (here === undefined || here.weekday !== weekday) return false
  const begun = minuteOf(wall, here.day, window.opens)
  const ended = window.closes === 1440 ? Number.POSITIVE_INFINITY : minuteOf(wall, here.day, window.closes)
  return at >= begun && at < ended
}

const found = new WeakMap<WallMinute[], Map<string, number>>()

/** When the clock last shows this time of a day; after a gap, as many minutes later as it lies in the gap. */
function minuteOf(wall: WallMinute[], day: string, minute: number): number {
  let minutes = found.get(wall)
  if (minutes === undefined) {
    minutes = new Map(wall.map(({ day, minute }, at) => [`${day} ${minute}`, at]))
    found.set(wall, minutes)
  }
  let skipped = 0
  while (!minutes.has(`${day} ${minute - skipped}`)) skipped += 1
  return (minutes.get(`${day} ${minute - skipped}`) ?? 0) + skipped
}

const walls = new Map<string, WallMinute[]>()

export function wallMinutes(time_zone: string, epoch: number, length: number): WallMinute[] {
  const key = `${time_zone} ${epoch} ${length}`
  const known = walls.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: time_zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const wall = Array.from({ length }, (_, at): WallMinute => {
    const parts = Object.fromEntries(
      format.formatToParts(epoch + at * MINUTE_MS).map(({ type, value }) => [type, value]),
    )
    const day = `${parts.year}-${parts.month}-${parts.day}`
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    return { day, weekday, minute: Number(parts.hour) * 60 + Number(parts.minute) }
  })
  walls.set(key, wall)
  return wall
}
