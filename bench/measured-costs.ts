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
  'patients by id': [0.39, 0.292, 0.007, 0.251],
  'lists of 25': [1.116, 1.183, 0.03, 1.33],
  'searches by name': [0.766, 1.063, 0.02, 1.929],
  'pages of the event feed': [0.512, 0.267, 0.042, 0.308],
  'tool calls': [1.796, 1.169, 0.026, 1.357],
  'queries of a month': [2.039, 2.215, 0.388, 10.986],
  leads: [0.934, 1.154, 0.019, 1.459],
  payments: [2.236, 2.495, 0.051, 3.973],
  'changed records': [0.006, 0.203, 0.005, 0.332],
  deliveries: [0.007, 0.003, 0.465, 0.542],
} as const satisfies Record<string, readonly [number, number, number, number]>
export type Kind = keyof typeof APART

export const COSTS: Readonly<Record<Layout, Readonly<Record<Kind, readonly number[]>>>> = {
  apart: APART,
  together: {
    'patients by id': [0.398, 0.219],
    'lists of 25': [1.311, 1.328],
    'searches by name': [1.306, 2.062],
    'pages of the event feed': [0.541, 0.31],
    'tool calls': [1.708, 1.206],
    'queries of a month': [3.389, 13.076],
    leads: [1.224, 1.461],
    payments: [2.612, 4.096],
    'changed records': [0.19, 0.251],
    deliveries: [0.496, 0.629],
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
