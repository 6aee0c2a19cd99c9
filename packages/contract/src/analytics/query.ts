// Analytics: the descriptor of a dataset, the query and its answer.

import { MAX } from '../limits.ts'
import {
  about,
  choice,
  exampleOf,
  list,
  named,
  nullable,
  object,
  strictObject,
  Type,
  text,
  whole,
} from '../schema/schema.ts'
import { allScopes } from '../scopes.ts'
import { MOST_VALUES } from './check-filters.ts'
import { grains, operators } from './dataset.ts'
import { datasetNames } from './datasets.ts'
import { MOST_NAMES } from './sent-query.ts'

const Name = text(MAX.code, { minLength: 1 })

const RequiredScope = Type.Optional(
  choice(allScopes, { description: 'A scope that it needs in addition to `analytics:read`.' }),
)
const Description = Type.Optional(about('What it means.', text(MAX.note)))

export const DatasetDescriptor = named(
  'DatasetDescriptor',
  object({
    name: Name,
    description: text(MAX.note),
    measures: list(
      object({
        name: Name,
        kind: Name,
        unit: Name,
        requires_scope: RequiredScope,
        description: Description,
      }),
      MOST_NAMES,
      { description: 'What a query can compute.' },
    ),
    dimensions: list(
      object({
        name: Name,
        kind: Name,
        grains: Type.Optional(
          list(choice(grains), grains.length, { description: 'Only of a time dimension: its periods.' }),
        ),
        requires_scope: RequiredScope,
        description: Description,
      }),
      MOST_NAMES,
      { description: 'What a query can group by.' },
    ),
    filters: list(
      object({
        name: Name,
        type: Name,
        operators: list(choice(operators), operators.length, {
          description: 'A filter of the type `id_list` takes `eq` too, for one id.',
        }),
        values: Type.Optional(
          list(text(MAX.code), MOST_NAMES, {
            description: 'All possible values. Absent if the clinic defines its own.',
          }),
        ),
        requires_scope: RequiredScope,
      }),
      MOST_NAMES,
      { description: 'What a query can filter by.' },
    ),
    requires_date_range: Type.Boolean({ description: 'A query needs a closed range on `date_filter`.' }),
    date_filter: about('The filter by date.', Name),
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

const TimeDimension = named(
  'TimeDimension',
  strictObject({ field: Name, grain: Type.Optional(choice(grains, { description: 'The period of one group.' })) }),
  {
    field: 'effective_date',
    grain: 'month',
  },
)
const FilterValue = Type.Unsafe<string | number | boolean | (string | number | boolean)[]>({
  type: ['string', 'number', 'boolean', 'array'],
  maxLength: MAX.attribution_value,
  maxItems: MOST_VALUES,
  items: { type: ['string', 'number', 'boolean'], maxLength: MAX.attribution_value },
})

const Filter = named('QueryFilter', strictObject({ field: Name, op: choice(operators), value: FilterValue }), {
  field: 'effective_date',
  op: 'between',
  value: ['2026-01-01', '2026-06-30'],
})
const Order = named('QueryOrder', strictObject({ by: Name, dir: choice(['asc', 'desc']) }), {
  by: 'net_revenue',
  dir: 'desc',
})

export const Query = named(
  'Query',
  strictObject({
    dataset: choice(datasetNames, { description: 'A dataset: see “Describe the datasets”.' }),
    measures: list(Name, MOST_NAMES, { minItems: 1, description: 'What to compute: measures of the dataset.' }),
    dimensions: Type.Optional(
      list(Type.Union([Name, TimeDimension]), MOST_NAMES, {
        description:
          'What to group by: a dimension, or `{ field, grain }` for a time dimension. The default grain is the day.',
      }),
    ),
    filters: Type.Optional(
      list(Filter, MOST_NAMES, {
        description:
          'Filters combine with AND. `eq` takes one value, `in` and `not_in` a list, `between` a list of two. A dataset with `requires_date_range` needs a closed range on its `date_filter`.',
      }),
    ),
    order: Type.Optional(
      list(Order, MOST_NAMES, {
        description: '`by` names a selected measure or dimension.',
      }),
    ),
    limit: Type.Optional(
      whole(1, 2_000_000_000, { description: 'The maximum number of groups to return. Each dataset has its own cap.' }),
    ),
  }),
  {
    dataset: 'treatments',
    measures: ['net_revenue'],
    dimensions: ['provider', exampleOf(TimeDimension)],
    filters: [exampleOf(Filter)],
    order: [exampleOf(Order)],
    limit: 100,
  },
)

/** Dimensions, their labels and measures, each at most as many as a query may name. */
const GROUP_MEMBERS = 3 * MOST_NAMES
const Group = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: 'object',
  maxProperties: GROUP_MEMBERS,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX.attribution_value },
})

export const QueryResult = named(
  'QueryResult',
  object({
    dataset: about('The name of a dataset, from `GET /v1/metrics`.', Name),
    rows: list(Group, 2000, {
      description:
        'One row per group: the values of the dimensions, `<dimension>_label` for values that have a name, and the measures.',
    }),
    totals: about('Each measure over the whole filtered set, not only the rows returned.', Group),
    measures: list(Name, MOST_NAMES),
    dimensions: list(Name, MOST_NAMES),
    truncated: Type.Boolean({
      description: 'Whether there are more groups than returned rows. If so, narrow the filters.',
    }),
    time_zone: text(MAX.code, { description: 'The IANA name of the time zone in which days are counted.' }),
    week_start: choice(['sunday', 'monday']),
    group_count: whole(0, 2_000_000_000, { description: 'The number of groups, returned or not.' }),
    as_of: nullable(text(MAX.instant, { format: 'date-time', description: 'The instant that the figures describe.' })),
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
