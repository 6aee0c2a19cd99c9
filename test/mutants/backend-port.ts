// Mutants of the backend: the port over HTTP, outages.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a call with the beginning of the token is refused',
    file: 'packages/backend/src/port-listener.ts',
    from: "digest(request.headers.authorization ?? '')",
    to: "digest((request.headers.authorization ?? '').slice(0, token.length + 7))",
    caught: {
      by: 'packages/backend/test/port-listener.test.ts',
      test: 'every route refuses a call without the token, and runs no handler',
    },
  },
  {
    breaks: 'a backend counts the rows that wait with the answers of reads',
    file: 'packages/backend/src/recorded-reads.ts',
    from: 'result.observe(trail.waitingRows)',
    to: 'result.observe(0)',
    caught: {
      by: 'packages/server/test/metrics.test.ts',
      test: 'a backend tells how many rows wait to be stored with the answers of reads',
    },
  },
]
