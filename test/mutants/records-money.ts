// Mutants of money: the decimals of currencies, in amounts, sums and documents.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a currency keeps its third decimal',
    file: 'packages/records/src/resources/money.ts',
    from: 'thousandths: thousandths % 10 === 0 ? null : thousandths }',
    to: 'thousandths: null }',
    caught: {
      by: 'packages/backend/test/ingest-payments.test.ts',
      test: 'a currency with three decimals keeps the third, through every door that takes an amount',
    },
  },
  {
    breaks: 'thousandths count only beside the hundredths that they were stored with',
    file: 'packages/records/src/resources/money.ts',
    from: 'case when ${thousandths} / 10 = ${hundredths} then',
    to: 'case when ${thousandths} is not null then',
    caught: {
      by: 'packages/backend/test/ingest-payments.test.ts',
      test: 'hundredths that a version without third decimals wrote later are the amount',
    },
  },
  {
    breaks: 'a currency with two decimals takes no third',
    file: 'packages/records/src/currency.ts',
    from: 'const decimals = decimalsOf(currency)',
    to: 'const decimals = decimalsOf(currency) === 0 ? 0 : 3',
    caught: {
      by: 'packages/backend/test/ingest-payments.test.ts',
      test: 'a currency with two decimals takes no third, through every door that takes an amount',
    },
  },
  {
    breaks: 'sums of a currency with three decimals have three',
    file: 'packages/analytics/src/question.ts',
    from: 'inThousandths: decimalsOf(clinic.currency) > 2',
    to: 'inThousandths: decimalsOf(clinic.currency) > 3',
    caught: {
      by: 'packages/analytics/test/counting.test.ts',
      test: 'a clinic whose currency has three decimals has three in sums and averages',
    },
  },
  {
    breaks: 'sums by currency have the decimals of the clinic’s currency too',
    file: 'packages/analytics/src/plan.ts',
    from: 'return inUnit(isApart ? apart.measure : measure)',
    to: 'return isApart ? apart.measure : inUnit(measure)',
    caught: {
      by: 'packages/analytics/test/counting.test.ts',
      test: 'a clinic whose currency has three decimals has three in sums and averages',
    },
  },
  {
    breaks: 'an amount of FHIR has the decimals of the clinic’s currency',
    file: 'packages/importers/src/fhir/money.ts',
    from: 'const decimals = decimalsOf(currency)',
    to: 'const decimals = 2',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'amounts are rounded to the decimals of the clinic’s currency',
    },
  },
  {
    breaks: 'a document prints the decimals of its currency',
    file: 'packages/changes/src/issue-documents.ts',
    from: 'return decimals === 2 ?',
    to: 'return decimals >= 2 ?',
    caught: {
      by: 'packages/backend/test/ingest-payments.test.ts',
      test: 'a document holds its amount in the smallest part of the currency, and says which',
    },
  },
]
