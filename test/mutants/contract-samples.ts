// Mutants of the samples in the documentation.
import type { Mutant } from './mutant.ts'

const by = 'packages/contract/test/code-samples.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'no value of an example ends a text in a sample in Go',
    file: 'packages/contract/src/samples/sent-request.ts',
    from: '/[`\\u007f-',
    to: '/[\\u007f-',
    caught: { by, test: 'go: the texts of every sample end where they should, and are the example’s request' },
  },
  {
    breaks: 'no quote of an example ends the text that curl sends',
    file: 'packages/contract/src/samples/curl.ts',
    from: `.replaceAll("'", "'\\\\''")`,
    to: '',
    caught: { by, test: 'curl: a shell hands over the example’s address and body' },
  },
]
