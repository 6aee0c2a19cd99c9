// Mutants of the document that client generators read.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
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
]
