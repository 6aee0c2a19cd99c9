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
  'patients by id': [0.12, 0.095, 0.001, 0.092],
  'lists of 25': [0.226, 0.39, 0.004, 0.484],
  'searches by name': [0.185, 0.267, 0.003, 0.69],
  'pages of the event feed': [0.175, 0.088, 0.012, 0.091],
  'tool calls': [0.355, 0.376, 0.003, 0.453],
  'queries of a month': [0.739, 0.812, 0.019, 3.785],
  leads: [0.272, 0.346, 0.004, 0.612],
  payments: [0.552, 0.739, 0.01, 1.291],
  'changed records': [0.001, 0.068, 0.001, 0.107],
  deliveries: [0.001, 0.001, 0.16, 0.226],
} as const satisfies Record<string, readonly [number, number, number, number]>
export type Kind = keyof typeof APART

export const COSTS: Readonly<Record<Layout, Readonly<Record<Kind, readonly number[]>>>> = {
  apart: APART,
  together: {
    'patients by id': [0.107, 0.069],
    'lists of 25': [0.42, 0.431],
    'searches by name': [0.426, 0.699],
    'pages of the event feed': [0.181, 0.075],
    'tool calls': [0.595, 0.496],
    'queries of a month': [0.953, 3.938],
    leads: [0.39, 0.535],
    payments: [0.752, 1.294],
    'changed records': [0.061, 0.1],
    deliveries: [0.143, 0.204],
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
