// Mutants of the backend: analytics and printed documents.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a query tells unknown values also where other values count records',
    file: 'packages/analytics/src/unknown-values.ts',
    from: 'return values.length === 0 ? []',
    to: 'return values.length < ids.length ? []',
    caught: {
      by: 'packages/analytics/test/unknown-values.test.ts',
      test: 'values that are the id of nothing are told by filter, also where other values count records, or nothing is left out',
    },
  },
  {
    breaks: 'either scope of leads opens their dataset',
    file: 'packages/contract/src/analytics/dataset.ts',
    from: 'return isOther ?',
    to: 'return isOther && false ?',
    caught: { by: 'test/analytics-scopes.test.ts' },
  },
  {
    breaks: 'amounts of different currencies are not added',
    file: 'packages/analytics/src/datasets/payments.ts',
    from: 'measure(sql`${only} and ${isOwnCurrency}`)',
    to: 'measure(only)',
    caught: {
      by: 'packages/analytics/test/counting.test.ts',
      test: 'a sum never adds two currencies: others than the clinic’s are left out and counted, and shown by currency',
    },
  },
  {
    breaks: 'the totals of a query by currency are of one currency',
    file: 'packages/analytics/src/plan.ts',
    from: '    measures,\n    ofRows,',
    to: '    measures: ofRows,\n    ofRows,',
    caught: {
      by: 'packages/analytics/test/counting.test.ts',
      test: 'a sum never adds two currencies: others than the clinic’s are left out and counted, and shown by currency',
    },
  },
  {
    breaks: 'an age band begins on the birthday',
    file: 'packages/analytics/src/age.ts',
    from: 'sql`${birthDate} > (${TODAY} - ${years})::date`',
    to: 'sql`${birthDate} >= (${TODAY} - ${years})::date`',
    caught: {
      by: 'packages/analytics/test/semantics.test.ts',
      test: 'an age band begins on the birthday, and the day before belongs to the younger one',
    },
  },
  {
    breaks: 'nulls come last in every order',
    file: 'packages/analytics/src/compile.ts',
    from: 'nulls last`',
    to: 'nulls first`',
    caught: {
      by: 'packages/analytics/test/semantics.test.ts',
      test: 'an age band begins on the birthday, and the day before belongs to the younger one',
    },
  },
  {
    breaks: 'the totals count an appointment with two providers once',
    file: 'packages/analytics/src/compile.ts',
    from: '...(isSeveral ? [sql`whole.*`] : [])',
    to: '...[]',
    caught: {
      by: 'packages/analytics/test/counting.test.ts',
      test: 'an appointment with two providers counts for each, and once in the totals',
    },
  },
  {
    breaks: 'a distinct count is not the sum of its rows',
    file: 'packages/analytics/src/compile.ts',
    from: '(select count(*) from (select member from cells where member is not null group by member) members)',
    to: '(sum(count(c.member)) over ())',
    caught: {
      by: 'packages/analytics/test/counting.test.ts',
      test: 'a distinct count is not the sum of its rows',
    },
  },
  {
    breaks: 'a time off counts on its last day, also where a clock changed at midnight',
    file: 'packages/analytics/src/working-time.ts',
    from: 'generate_series(0, least((${end})::date, ${TO}) - ${first}) i) touched',
    to: 'generate_series(0, least((${end})::date, ${TO}) - ${first} - 1) i) touched',
    caught: {
      by: 'packages/analytics/test/utilization.test.ts',
      test: 'America/Santiago: a span over a clock change at midnight counts on its last day too',
    },
  },
  {
    breaks: 'only the part of an appointment within working time counts as booked',
    file: 'packages/analytics/src/working-time.ts',
    from: "${seconds(sql`open * coalesce(busy, '{}')`)}",
    to: "${seconds(sql`coalesce(busy, '{}')`)}",
    caught: {
      by: 'packages/analytics/test/utilization.test.ts',
      test: 'only the part of an appointment within working time counts as booked, not the part before, after or in a break',
    },
  },
  {
    breaks: 'an unchecked query is refused before anything is compiled',
    file: 'packages/backend/src/operations/analytics.ts',
    from: '  if (faults.length > 0) throw',
    to: '  if (faults.length > 1) throw',
    caught: {
      by: 'packages/analytics/test/semantics.test.ts',
      test: 'an unchecked query is refused before anything is compiled',
    },
  },
  {
    breaks: 'no formatting character can reverse a printed line',
    file: 'packages/documents/src/legible.ts',
    from: ".replace(/(?![\\u200e\\u200f\\u061c])\\p{Cf}/gu, '')",
    to: '',
    caught: {
      by: 'packages/documents/test/texts.test.ts',
      test: 'control and formatting characters cannot move or hide a text',
    },
  },
  {
    breaks: 'a character that the font lacks is replaced by a visible sign',
    file: 'packages/documents/src/legible.ts',
    from: "parts.length <= MOST_PARTS ? parts.join('') : UNKNOWN",
    to: "parts.length <= MOST_PARTS ? parts.join('') : ''",
    caught: {
      by: 'packages/documents/test/texts.test.ts',
      test: 'characters that the font lacks are decomposed or replaced by a visible sign',
    },
  },
]
