// The guide to the datasets, `docs/analytics.md`: `npm run golden` writes it, and a test compares it with the registry.
import { RANGE_YEARS } from '../analytics/check-filters.ts'
import { type Dataset, dimensionScope, filterOperators, measureScope } from '../analytics/dataset.ts'
import { datasetNames, datasets } from '../analytics/datasets.ts'
import { Query } from '../analytics/query.ts'
import { exampleOf } from '../schema.ts'

/** The guide in Markdown. */
export function analyticsGuide(): string {
  return `${opening}\n${datasetNames.map((name) => section(datasets[name])).join('\n')}`
}

const opening = `# Analytics

\`GET /v1/metrics\` describes what a key may ask, \`POST /v1/query\` answers it: one aggregation over one dataset. This page is made
from the registry (\`packages/contract/src/analytics/datasets\`); \`npm run golden\` writes it.

\`\`\`json
${JSON.stringify(exampleOf(Query), null, 2)}
\`\`\`

## Rules

- **Rows.** One a group: the dimensions, \`<dimension>_label\` for what has a name, the measures. Without dimensions one row, without
  records none. At most the dataset's cap; \`truncated\` says exactly whether there are more, \`group_count\` how many there are.
- **Totals** are over the whole filtered set, returned or not. A distinct count, and records that stand in several groups (an
  appointment with two providers), count once: totals are then not the sum of the rows.
- **Days** are the clinic's, in its zone; weeks begin on its day (\`week_start\`). A period is named by its first day, \`YYYY-MM-DD\`.
  Empty periods are not invented. A time dimension without a grain means \`day\`.
- **Ranges** of dates are whole days, both ends included: \`between\`, or \`gte\` together with \`lte\`. Where a dataset needs one it
  spans at most ${RANGE_YEARS} years. A record without the date counts in no range.
- **Filters** are combined with AND, several of one field too. \`not_in\` is the rest of \`in\`: also what has no value. A filter on what a record can
  have several of keeps records that have one of the values, and shows rows for the values of such filters alone.
- **Amounts** are major units, summed in whole hundredths. **Rates** are in percent, 0 to 100. Averages and rates are quotients of sums,
  in rows and totals alike, with two decimals; over nothing they are null, where sums and counts are 0.
- **Order**: as asked; else time ascending, else the first measure descending. Ties are broken by all dimensions, nulls come last: equal
  requests give equal bytes.
- **Scopes**: \`analytics:read\`, and what is named below. A name that the key may not see is left out of \`/v1/metrics\`, and 403 when
  asked for.
- \`as_of\` is the instant of the answer, \`time_zone\` the zone of its days. Nothing is sampled, cached or estimated. What takes longer
  than five seconds is 503: ask for a shorter range.
`

function section(dataset: Dataset): string {
  const { name, description, cap, date_filter, requires_date_range, requires_scope } = dataset
  const needs = requires_scope === undefined ? '' : ` Every question needs \`${requires_scope}\`.`
  const range = requires_date_range
    ? `A closed range on \`${date_filter}\` is required.`
    : `A range on \`${date_filter}\` is optional.`
  return `## ${name}

${description} ${range}${needs} At most ${cap} rows.

| Measure | Kind, unit | |
|---|---|---|
${Object.entries(dataset.measures)
  .map(
    ([name, { kind, unit, description }]) =>
      `| \`${name}\` | ${kind}, ${unit} | ${description}${scoped(measureScope(dataset, name), dataset)} |`,
  )
  .join('\n')}

| Dimension | |
|---|---|
${Object.entries(dataset.dimensions)
  .map(
    ([name, { kind, description }]) =>
      `| \`${name}\`${kind === 'time' ? ' (time)' : ''} | ${description}${scoped(dimensionScope(dataset, name), dataset)} |`,
  )
  .join('\n')}

| Filter | Operators | Values |
|---|---|---|
${Object.entries(dataset.filters)
  .map(
    ([name, { type, values }]) =>
      `| \`${name}\` | ${filterOperators[type].join(', ')} | ${values?.join(', ') ?? valueNames[type]} |`,
  )
  .join('\n')}
`
}

const valueNames = {
  date: 'days, `YYYY-MM-DD`',
  id_list: 'ids',
  string_list: 'strings',
  boolean: 'true, false',
} as const

function scoped(scope: string | undefined, { requires_scope }: Dataset): string {
  return scope === undefined || scope === requires_scope ? '' : ` Needs \`${scope}\`.`
}
