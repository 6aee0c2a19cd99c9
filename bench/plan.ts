// How many processors and how much disk so many clinics take, from the measured costs and a clinic's traffic. Put in your own figures.
//
//   node bench/plan.ts [--clinics 10,1000,100000] [--patients 5000] [--peak 3] [--use 50] [--years 3] [--audit-days 365] [--layout together] [--day 'lists of 25=3000']… [--even none]
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import {
  AUDIT_BYTES,
  COSTS,
  isLayout,
  type Kind,
  type Layout,
  PACKED_AUDIT_BYTES,
  PARTS,
  ROW_BYTES,
} from './measured-costs.ts'

export interface Plan {
  clinics: readonly number[]
  /** The clinic's patients. */
  patients: number
  /** How many times the average of a working hour the busiest minute has. */
  peak: number
  /** The share of a processor that may be in use at the peak, in percent. */
  use: number
  years: number
  /** `AUDIT_RETENTION_DAYS`. Null: rows are kept for all years. */
  auditDays: number | null
  layout: Layout
  /** A working day of a clinic has so many of each. */
  day: Readonly<Record<Kind, number>>
  /** These come at one rate, day and night. The others come in the working hours and have a peak. */
  even: readonly Kind[]
}

const WORKING_HOURS = 10
const HOUR = 3600
const WORKING_DAYS = 280
/** Events and their deliveries are kept this long, records for all years. */
const EVENT_DAYS = 30
/** Packed rows grow by half in use: dead rows, half-filled pages. */
const IN_USE = 1.5
/** A day of the audit log is packed at most so long after it began. */
const UNPACKED_DAYS = 2.25
/** Changed records arrive in batches, and a batch has one row of the audit log. */
const BATCH = 10
const TREATMENTS_A_VISIT = 1.2
const GB = 1e9

export const USUAL: Plan = {
  clinics: [10, 1_000, 100_000],
  patients: 5_000,
  peak: 3,
  use: 50,
  years: 3,
  auditDays: null,
  layout: 'apart',
  day: {
    'patients by id': 2_000,
    'lists of 25': 1_000,
    'searches by name': 300,
    'pages of the event feed': 5_760,
    'tool calls': 200,
    'queries of a month': 50,
    leads: 20,
    payments: 60,
    'changed records': 250,
    deliveries: 600,
  },
  even: ['pages of the event feed'],
}

/** New appointments of a working day: each changes some three times, and is one of the changed records each time. */
const visitsOf = ({ day }: Plan) => day['changed records'] / 4

/** Lines of a Markdown table. */
export function planTable(plan: Plan): string {
  const rows = plan.clinics.map((clinics) => {
    const processors = PARTS[plan.layout].map((_, part) => shown(processorsOf(plan, clinics, part)))
    const cells = [shown(clinics), shown(requestsAtPeak(plan, clinics)), ...processors, shown(diskOf(plan, clinics))]
    cells.push(shown(packedDiskOf(plan, clinics)))
    return `| ${cells.join(' | ')} |`
  })
  const disk = `disk after ${plan.years} years, GB`
  const heads = ['clinics', 'requests/s at the peak', ...PARTS[plan.layout], disk, 'with `AUDIT_PACKING=1`']
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`, ...rows].join('\n')
}

function perSecondAtPeak({ peak, day, even }: Plan, kind: Kind): number {
  return even.includes(kind) ? day[kind] / (24 * HOUR) : (day[kind] / (WORKING_HOURS * HOUR)) * peak
}

function requestsAtPeak(plan: Plan, clinics: number): number {
  const { deliveries: _, 'changed records': __, ...requests } = plan.day
  const kinds = Object.keys(requests) as Kind[]
  return kinds.reduce((sum, kind) => sum + perSecondAtPeak(plan, kind) * clinics, 0)
}

function processorsOf(plan: Plan, clinics: number, part: number): number {
  const costs = COSTS[plan.layout]
  const kinds = Object.keys(plan.day) as Kind[]
  const inUse = kinds.reduce((sum, kind) => sum + (perSecondAtPeak(plan, kind) / 1000) * (costs[kind][part] ?? 0), 0)
  return (inUse * clinics * 100) / plan.use
}

function diskOf(plan: Plan, clinics: number): number {
  return ((recordBytes(plan) + auditedDays(plan) * auditBytesOfADay(plan)) * IN_USE * clinics) / GB
}

/** Packed rows are written once, so nothing of them is dead or half filled. */
function packedDiskOf(plan: Plan, clinics: number): number {
  const { day } = plan
  const rows = Object.values(day).reduce((sum, count) => sum + count, 0) - day['changed records'] * (1 - 1 / BATCH)
  const unpacked = Math.min(UNPACKED_DAYS, auditedDays(plan))
  const inRows = (recordBytes(plan) + unpacked * auditBytesOfADay(plan)) * IN_USE
  return ((inRows + (auditedDays(plan) - unpacked) * rows * PACKED_AUDIT_BYTES) * clinics) / GB
}

/** Working days with rows in the audit log. */
function auditedDays({ years, auditDays }: Plan): number {
  const days = WORKING_DAYS * years
  return auditDays === null ? days : Math.min(days, (auditDays * WORKING_DAYS) / 365)
}

function auditBytesOfADay({ day }: Plan): number {
  return (Object.entries(day) as [Kind, number][]).reduce((sum, [kind, count]) => sum + count * AUDIT_BYTES[kind], 0)
}

/** Everything of a clinic but its audit log. */
function recordBytes(plan: Plan): number {
  const { day, patients, years } = plan
  const days = WORKING_DAYS * years
  const { deliveries, 'changed records': changed } = day
  return (
    patients * ROW_BYTES.patient +
    days * visitsOf(plan) * (ROW_BYTES.appointment + TREATMENTS_A_VISIT * ROW_BYTES.treatment) +
    days * day.payments * ROW_BYTES.payment +
    EVENT_DAYS * ((changed + day.payments) * ROW_BYTES.event + deliveries * ROW_BYTES.delivery)
  )
}

/** Two digits are as much as such a plan knows. */
function shown(value: number): string {
  if (value < 0.1) return '< 0.1'
  return Number(value.toPrecision(2)).toLocaleString('en-US')
}

/** @throws with the words that name no figure */
function planOf(argv: readonly string[]): Plan {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...argv],
    options: {
      clinics: text,
      patients: text,
      peak: text,
      use: text,
      years: text,
      'audit-days': text,
      layout: text,
      day: { ...text, multiple: true },
      even: { ...text, multiple: true },
    },
  })
  const number = (word: string): number => {
    const value = Number(word)
    if (word.trim() === '' || !(value >= 0)) throw new Error(`${word} is no number`)
    return value
  }
  const { layout = USUAL.layout } = values
  if (!isLayout(layout)) throw new Error(`--layout is one of: ${Object.keys(PARTS).join(', ')}`)
  const day: Record<Kind, number> = { ...USUAL.day }
  for (const entry of values.day ?? []) {
    const [kind = '', count = ''] = entry.split('=')
    day[kindOf('--day', kind)] = number(count)
  }
  const even = values.even?.flatMap((kind) => (kind === 'none' ? [] : kindOf('--even', kind)))
  return {
    clinics: values.clinics?.split(',').map(number) ?? USUAL.clinics,
    patients: number(values.patients ?? String(USUAL.patients)),
    peak: number(values.peak ?? String(USUAL.peak)),
    use: number(values.use ?? String(USUAL.use)),
    years: number(values.years ?? String(USUAL.years)),
    auditDays: values['audit-days'] === undefined ? USUAL.auditDays : number(values['audit-days']),
    layout,
    day,
    even: even ?? USUAL.even,
  }
}

function kindOf(option: string, kind: string): Kind {
  if (kind in USUAL.day) return kind as Kind
  throw new Error(`${option} knows no "${kind}". It knows: ${Object.keys(USUAL.day).join(', ')}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    process.stdout.write(`${planTable(planOf(process.argv.slice(2)))}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
