// Mutants of the document that client generators read.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an operation names the problems that it can answer',
    file: 'packages/contract/src/projections/openapi-problems.ts',
    from: '&& wanted.every((slug) => slugs.includes(slug))',
    to: '',
    caught: {
      by: 'packages/contract/test/openapi-problems.test.ts',
      test: 'an operation names the problem of a reused Idempotency-Key exactly where it takes that header',
    },
  },
  {
    breaks: 'each choice inside a request has a name of its own',
    file: 'packages/contract/src/generators/request-names.ts',
    from: 'if (!part.properties && !part.anyOf) return part',
    to: 'if (!part.properties) return part',
    caught: {
      by: 'packages/contract/test/request-names.test.ts',
      test: 'and so is each object and each choice inside one',
    },
  },
  {
    breaks: 'a value can be added to every list of an answer',
    file: 'packages/contract/src/generators/open-answers.ts',
    from: 'return isOpen(rest) ? withOpenValues(rest) : rest',
    to: 'return rest',
    caught: {
      by: 'packages/contract/test/open-answers.test.ts',
      test: 'a value, and an item more than today, can be added to every list of an answer',
    },
  },
  {
    breaks: 'an answer may hold more items than today',
    file: 'packages/contract/src/generators/open-answers.ts',
    from: 'const { maxItems: _, ...rest } = schema',
    to: 'const rest = schema',
    caught: {
      by: 'packages/contract/test/open-answers.test.ts',
      test: 'a value, and an item more than today, can be added to every list of an answer',
    },
  },
  {
    breaks: 'each object inside an answer has a name of its own',
    file: 'packages/contract/src/generators/part-names.ts',
    from: 'if (!part.properties) return part',
    to: "if (!part.properties || place.endsWith('.status')) return part",
    caught: {
      by: 'packages/contract/test/open-answers.test.ts',
      test: 'each object of an answer is a component, and no two have one name',
    },
  },
  {
    breaks: 'an answer keeps what its concise form promised',
    file: 'packages/contract/scripts/promises.ts',
    from: 'fields.length > 0 && fields.every(isSame) &&',
    to: 'fields.length > 0 &&',
    caught: {
      by: 'packages/contract/test/golden.test.ts',
      test: 'taking back a field of the concise form from an answer that became the detailed one is noticed',
    },
  },
  {
    breaks: 'an earlier backend is not sent a form that nobody asked for',
    file: 'packages/contract/src/operations/appointments.ts',
    from: 'query: strictObject(addedForm)',
    to: 'query: strictObject(responseFormat)',
    caught: {
      by: 'packages/gateway/test/read-input.test.ts',
      test: 'the form of a single appointment reaches the backend only if a client names it',
    },
  },
  {
    breaks: 'one appointment has its details for whoever asks',
    file: 'packages/backend/src/operations/appointments.ts',
    from: "response_format ?? 'concise'",
    to: "(response_format, 'concise')",
    caught: {
      by: 'packages/backend/test/appointments.test.ts',
      test: 'an appointment is answered with all embedded resources, in the clinic’s offset at each instant',
    },
  },
]
