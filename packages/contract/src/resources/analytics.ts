// Analytics: the descriptor of a dataset, the query and its answer.
import { MAX } from '../limits.ts'
import { choice, list, named, nullable, object, strictObject, Type, text, whole } from '../schema.ts'
import { allScopes } from '../scopes.ts'

export const grains = ['day', 'week', 'month', 'quarter', 'year'] as const
export const operators = ['eq', 'in', 'not_in', 'between', 'gte', 'lte'] as const

const Name = text(MAX.code, { minLength: 1 })
/** Names in one query: more than any dataset has. */
const NAMES = 32
const VALUES = 1000

export const DatasetDescriptor = named(
  'DatasetDescriptor',
  object({
    name: Name,
    description: text(MAX.note),
    measures: list(
      object({ name: Name, kind: Name, unit: Name, requires_scope: Type.Optional(choice(allScopes)) }),
      NAMES,
    ),
    dimensions: list(
      object({ name: Name, kind: Name, grains: Type.Optional(list(choice(grains), grains.length)) }),
      NAMES,
    ),
    filters: list(object({ name: Name, type: Name, operators: list(choice(operators), operators.length) }), NAMES),
    requires_date_range: Type.Boolean(),
    date_filter: Name,
  }),
  {
    name: 'treatments',
    description: 'Recorded treatments.',
    measures: [
      { name: 'net_revenue', kind: 'sum', unit: 'currency', requires_scope: 'payments:read' },
      { name: 'treatment_count', kind: 'count', unit: 'count' },
    ],
    dimensions: [
      { name: 'provider', kind: 'column' },
      { name: 'effective_date', kind: 'time', grains: [...grains] },
    ],
    filters: [
      { name: 'effective_date', type: 'date', operators: ['between', 'gte', 'lte'] },
      { name: 'provider', type: 'id_list', operators: ['in', 'not_in'] },
    ],
    requires_date_range: true,
    date_filter: 'effective_date',
  },
)

const Dimension = Type.Union([Name, strictObject({ field: Name, grain: choice(grains) })])
const FilterValue = Type.Unsafe<string | number | boolean | (string | number | boolean)[]>({
  type: ['string', 'number', 'boolean', 'array'],
  maxLength: MAX.id,
  maxItems: VALUES,
  items: { type: ['string', 'number', 'boolean'], maxLength: MAX.id },
})

export const Query = named(
  'Query',
  strictObject({
    dataset: Name,
    measures: list(Name, NAMES, { minItems: 1 }),
    dimensions: Type.Optional(list(Dimension, NAMES)),
    filters: Type.Optional(list(strictObject({ field: Name, op: choice(operators), value: FilterValue }), NAMES)),
    order: Type.Optional(list(strictObject({ by: Name, dir: choice(['asc', 'desc']) }), NAMES)),
    limit: Type.Optional(whole(1, 2_000_000_000, { description: 'Most groups returned; capped per dataset.' })),
  }),
  {
    dataset: 'treatments',
    measures: ['net_revenue'],
    dimensions: ['provider', { field: 'effective_date', grain: 'month' }],
    filters: [{ field: 'effective_date', op: 'between', value: ['2026-01-01', '2026-06-30'] }],
    order: [{ by: 'net_revenue', dir: 'desc' }],
    limit: 100,
  },
)

const Group = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX.name },
})

export const QueryResult = named(
  'QueryResult',
  object({
    dataset: Name,
    rows: list(Group, 2000),
    totals: Group,
    measures: list(Name, NAMES),
    dimensions: list(Name, NAMES),
    truncated: Type.Boolean({ description: 'More groups exist than rows were returned: narrow the filters.' }),
    time_zone: text(MAX.code),
    week_start: choice(['sunday', 'monday']),
    group_count: whole(0, 2_000_000_000),
    as_of: nullable(text(MAX.instant, { format: 'date-time' })),
  }),
  {
    dataset: 'treatments',
    rows: [
      { provider: 'dr-cohen', provider_label: 'Dr. Maya Cohen', effective_date: '2026-01-01', net_revenue: 48250 },
    ],
    totals: { net_revenue: 48250 },
    measures: ['net_revenue'],
    dimensions: ['provider', 'effective_date'],
    truncated: false,
    time_zone: 'Asia/Jerusalem',
    week_start: 'sunday',
    group_count: 1,
    as_of: '2026-07-12T09:30:00.123+03:00',
  },
)
