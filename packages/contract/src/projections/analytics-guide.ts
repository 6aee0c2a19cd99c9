// The guide to the datasets, `docs/analytics.md`. `npm run golden` writes it, and a test compares it with the registry.
import { RANGE_YEARS } from '../analytics/check-filters.ts'
import { type Dataset, dimensionScope, filterOperators, measureScope } from '../analytics/dataset.ts'
import { datasetNames, datasets } from '../analytics/datasets.ts'
import { Query } from '../analytics/query.ts'
import { exampleOf } from '../schema/schema.ts'

/** The guide in Markdown. */
export function analyticsGuide(): string {
  return `${opening}\n${datasetSections()}`
}

/** The same for a reader who asks by the tools of the MCP server. */
export function datasetGuide(): string {
  return `# Analytics\n\nThe tool \`query_run\` answers one aggregation over one dataset.\n\n${datasetSections()}`
}

/** The rules, and every dataset: one `##` each. */
export function datasetSections(): string {
  return `${rules}\n${datasetNames.map((name) => section(datasets[name])).join('\n')}`
}

const opening = `# Analytics

\`GET /v1/metrics\` describes what a key may query. \`POST /v1/query\` answers one aggregation over one dataset. \`npm run golden\` writes
this page from the registry (\`packages/contract/src/analytics/datasets\`).

\`\`\`json
${JSON.stringify(exampleOf(Query), null, 2)}
\`\`\`
`

const rules = `## Rules

- **Rows.** There is one row per group. It holds the dimensions, \`<dimension>_label\` for dimensions whose values have names, and the
  measures. Without dimensions there is one row. If no record matches there is none. The number of rows is at most the dataset's cap.
  \`truncated\` says exactly whether there are more groups, \`group_count\` how many there are.
- **Totals** cover the whole filtered set, also groups that are not returned. A value of a distinct count, and a record that is in several
  groups (an appointment with two providers), counts once. Totals are then not the sum of the rows.
- **Days** are the clinic's, in its zone. Weeks begin on its first day (\`week_start\`). The name of a period is its first day,
  \`YYYY-MM-DD\`. Empty periods have no row. A time dimension without a grain means \`day\`.
- **Ranges** of dates are whole days, both ends included: \`between\`, or \`gte\` together with \`lte\`. A required range
  spans at most ${RANGE_YEARS} years. A record without the date is in no range.
- **Filters** combine by AND, also several filters on one field. \`eq\` means \`in\` with one value. \`not_in\` keeps every record that \`in\` leaves out, also records
  without a value. Where a record can have several values of the field, a filter keeps it if one of them matches. With \`eq\` or \`in\` the
  rows of that dimension show only the values in the filter. A filter by an id takes no name. An id that does not
  exist matches nothing and is no error: \`meta.warnings\` beside the figures names the filter and such values, also where others match. Only an \`agent\` is not told: the clinic has no list of agents.
- **Amounts** are in major units, summed as whole numbers. **Rates** are in percent, 0 to 100. Averages and rates are quotients of sums,
  in rows and in totals, with two decimals (amounts with three where the currency has three). Over no records they are null, and sums and counts are 0.
- **Order**: without \`order\`, a time dimension ascends; without one, the first measure descends. All dimensions break ties, and nulls come
  last, so equal requests give equal bytes.
- **Scopes**: every query needs \`analytics:read\`, and the scopes that are named below. \`/v1/metrics\` leaves out a name that the key may
  not see. A query that uses it gets 403.
- \`as_of\` is the instant that the figures describe, at most a few seconds before the answer, \`time_zone\` the zone of its days. Nothing is sampled, cached or estimated. A query that takes
  longer than five seconds gets 503: choose a shorter range.
`

function section(dataset: Dataset): string {
  const { name, description, cap, date_filter, requires_date_range } = dataset
  const scopes = [dataset.requires_scope, dataset.opened_also_by].flatMap((scope) => (scope ? `\`${scope}\`` : []))
  const needs = scopes.length === 0 ? '' : ` Every question needs ${scopes.join(' or ')}.`
  const range = requires_date_range
    ? `A closed range on \`${date_filter}\` is required.`
    : `A range on \`${date_filter}\` is optional.`
  return `## ${name}

${description} ${range}${needs} At most ${cap} rows.

| Measure | Kind, unit | Meaning |
|---|---|---|
${Object.entries(dataset.measures)
  .map(
    ([name, { kind, unit, description }]) =>
      `| \`${name}\` | ${kind}, ${unit} | ${description}${scoped(measureScope(dataset, name), dataset)} |`,
  )
  .join('\n')}

| Dimension | Meaning |
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
