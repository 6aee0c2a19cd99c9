// Holds what `costs.ts` measured, for `plan.ts` to count with. docs/scaling.md says when and where.

/** The processes that take CPU time: roles of `serve`, each apart or all together, and the database as the last one. */
export const PARTS = {
  apart: ['gateway', 'backend', 'dispatcher', 'PostgreSQL'],
  together: ['all', 'PostgreSQL'],
} as const
export type Layout = keyof typeof PARTS

export const isLayout = (word: string): word is Layout => Object.hasOwn(PARTS, word)

/** CPU seconds for a thousand, in the order of the layout's parts. */
const APART = {
  'patients by id': [0.342, 0.255, 0.005, 0.219],
  'lists of 25': [1.041, 0.985, 0.018, 1.216],
  'searches by name': [0.713, 0.9, 0.016, 1.888],
  'pages of the event feed': [0.401, 0.197, 0.005, 0.163],
  'tool calls': [1.654, 1.046, 0.063, 1.285],
  'queries of a month': [1.925, 1.981, 0.066, 8.586],
  leads: [0.754, 0.949, 0.015, 1.501],
  payments: [1.491, 2.274, 0.651, 4.112],
  'changed records': [0.004, 0.177, 0.015, 0.291],
  deliveries: [0.006, 0.003, 0.42, 0.749],
} as const satisfies Record<string, readonly [number, number, number, number]>
export type Kind = keyof typeof APART

export const COSTS: Readonly<Record<Layout, Readonly<Record<Kind, readonly number[]>>>> = {
  apart: APART,
  together: {
    'patients by id': [0, 0],
    'lists of 25': [0, 0],
    'searches by name': [0, 0],
    'pages of the event feed': [0, 0],
    'tool calls': [0, 0],
    'queries of a month': [0, 0],
    leads: [0, 0],
    payments: [0, 0],
    'changed records': [0, 0],
    deliveries: [0, 0],
  },
}

/** Bytes of a row with its indexes, freshly packed. A patient's names and contacts, and a visit's provider, are counted to it. */
export const ROW_BYTES = {
  patient: 258 + 188 * 1.4 + 162 * 1.7,
  appointment: 482 + 253,
  treatment: 467,
  payment: 442 + 316,
  event: 890,
  delivery: 465 + 250,
} as const

/** Bytes that the audit log grows by with each, likewise. A row names the rows of its answer and their patients; a batch has one row. */
export const AUDIT_BYTES = {
  'patients by id': 285,
  'lists of 25': 970,
  'searches by name': 864,
  'pages of the event feed': 262,
  'tool calls': 970,
  'queries of a month': 261,
  leads: 305,
  payments: 317,
  'changed records': 10,
  deliveries: 261,
} as const satisfies Record<Kind, number>

/** A packed row of the audit log, with what finds it, of the traffic of `plan.ts` and ids as this program makes them. Short ids: 24. */
export const PACKED_AUDIT_BYTES = 34

/** The costs as a Markdown table, with their sums. */
export function costTable(layout: Layout): string {
  const rows = Object.entries(COSTS[layout]).map(([kind, costs]) => {
    const sum = costs.reduce((total, cost) => total + cost, 0)
    return `| ${[kind, ...[...costs, sum].map((cost) => cost.toFixed(3))].join(' | ')} |`
  })
  const heads = ['a thousand', ...PARTS[layout], 'sum']
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`, ...rows].join('\n')
}
