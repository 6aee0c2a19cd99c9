// Holds what `costs.ts` measured, for `plan.ts` to count with. docs/scaling.md says when and where.

/** The parts that take CPU time. */
export const PARTS = ['gateway', 'backend', 'dispatcher', 'PostgreSQL'] as const
export type Part = (typeof PARTS)[number]

/** CPU seconds for a thousand, in the order of `PARTS`. */
export const COSTS = {
  'patients by id': [0.261, 0.251, 0.002, 0.158],
  'lists of 25': [0.565, 0.522, 0.004, 0.639],
  'searches by name': [0.422, 0.397, 0.004, 0.857],
  'pages of the event feed': [0.275, 0.218, 0.003, 0.174],
  'tool calls': [0.819, 0.512, 0.01, 0.598],
  'queries of a month': [1.419, 1.344, 0.037, 3.92],
  leads: [0.427, 0.483, 0.005, 0.664],
  payments: [0.884, 1.369, 0.274, 1.817],
  'changed records': [0.003, 0.112, 0.01, 0.11],
  deliveries: [0.003, 0.001, 0.205, 0.204],
} as const satisfies Record<string, readonly [number, number, number, number]>
export type Kind = keyof typeof COSTS

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
export function costTable(): string {
  const rows = Object.entries(COSTS).map(([kind, costs]) => {
    const sum = costs.reduce<number>((total, cost) => total + cost, 0)
    return `| ${[kind, ...[...costs, sum].map((cost) => cost.toFixed(3))].join(' | ')} |`
  })
  const heads = ['a thousand', ...PARTS, 'sum']
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`, ...rows].join('\n')
}
