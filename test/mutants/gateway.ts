// Mutants of the gateway: authentication, limits, the checks of a request, what leaves, files, MCP.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a revoked key is refused a second after the look-up began',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: 'if (entry === undefined || this.#monotonic() - entry.askedAt >= this.#maxAgeMs) return this.#ask(keyHash)',
    to: 'if (entry === undefined) return this.#ask(keyHash)',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'an answer is used for one second from the moment of asking, not of answering',
    },
  },
]
