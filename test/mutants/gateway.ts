// Mutants of the gateway's authentication, limits and addresses.
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
  {
    breaks: 'the second of a cached key begins when the backend is asked, not when it answers',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: '        entry.wasValid = principal !== null\n',
    to: '        entry.wasValid = principal !== null\n        entry.askedAt = this.#monotonic()\n',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'an answer is used for one second from the moment of asking, not of answering',
    },
  },
  {
    breaks: 'a cached key is refused from the very instant at which it expires',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: 'return this.#now() < principal.expires_at ? principal : null',
    to: 'return this.#now() <= principal.expires_at ? principal : null',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'a cached key is refused from the instant it expires',
    },
  },
  {
    breaks: 'a key that expires while it is looked up is refused',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: '        entry.asking = null\n        return this.#unexpired(principal)',
    to: '        entry.asking = null\n        return principal',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'a key that expires while the backend is asked is refused',
    },
  },
  {
    breaks: 'a late no of the backend does not remove a newer answer about the key',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: 'if (this.#entries.get(keyHash) === entry) this.#entries.delete(keyHash)',
    to: 'this.#entries.delete(keyHash)',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'a late answer that a key does not exist does not replace a newer answer',
    },
  },
  {
    breaks: 'a key works as soon as it is made, even if it was asked for before',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: 'if (principal === null) this.#forget(keyHash, entry)',
    to: '',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'an unknown key is asked for each time, so a new key works at once',
    },
  },
  {
    breaks: 'after a failed look-up the next request asks again',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: '        this.#forget(keyHash, entry)\n        throw error',
    to: '        throw error',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'a failure reaches all who waited, and the next request asks again',
    },
  },
  {
    breaks: 'the memory for keys is bounded',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: 'if (this.#entries.size > this.#maxKeys) this.#forgetOldest()',
    to: '',
    caught: {
      by: 'packages/gateway/test/key-cache.test.ts',
      test: 'the number of kept keys is limited, and the one asked for longest ago is removed',
    },
  },
  {
    breaks: 'simultaneous requests with one key cost one look-up',
    file: 'packages/gateway/src/authentication/key-cache.ts',
    from: 'return entry.asking ?? this.#unexpired(entry.principal)',
    to: 'return entry.asking === null ? this.#unexpired(entry.principal) : this.#ask(keyHash)',
    caught: { by: 'packages/gateway/test/key-cache.test.ts', test: 'simultaneous requests with one key ask once' },
  },
  {
    breaks: 'a malformed key never reaches the store and never counts against its address',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: "if (!isToken && !isWellFormedKey(key)) throw this.#refuseForm('malformed')",
    to: 'if (!isToken && !isWellFormedKey(key)) throw this.#refuse(this.addressOf(request), false)',
    caught: {
      by: 'test/rules/authentication.test.ts',
      test: 'a malformed key is always 401 and does not count against its address',
    },
  },
  {
    breaks: 'unknown keys of an address that sent too many are looked up in a line of their own',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: 'return this.#failedAttempts.isExhausted(address) ? this.#inLane(find) : find()',
    to: 'return find()',
    caught: {
      by: 'test/rules/authentication.test.ts',
      test: 'unknown keys of an address that sent too many are looked up a few at once, while others are looked up normally',
    },
  },
  {
    breaks: 'an address that sends unknown keys has to wait after sixty',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: 'const wait = this.#failedAttempts.fail(address)\n    if (wait === null ||',
    to: 'const wait = this.#failedAttempts.fail(address)\n    if (wait !== 0 ||',
    caught: {
      by: 'test/rules/authentication.test.ts',
      test: 'an address that sends 60 unknown keys in a minute has to wait, while a valid key from it is served',
    },
  },
  {
    breaks: 'a valid key is served from an address that guesses keys',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: 'if (principal === null) throw this.#refuse(',
    to: 'if (principal === null || this.#failedAttempts.isExhausted(this.addressOf(request))) throw this.#refuse(',
    caught: {
      by: 'test/rules/authentication.test.ts',
      test: 'an address that sends 60 unknown keys in a minute has to wait, while a valid key from it is served',
    },
  },
  {
    breaks: 'the word Bearer counts in any case',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: '/^Bearer ([^\\s]+)$/i',
    to: '/^Bearer ([^\\s]+)$/',
    caught: {
      by: 'packages/gateway/test/admission.test.ts',
      test: 'the word Bearer counts in any case, and nothing stands before it',
    },
  },
  {
    breaks: 'a client cannot escape the count of unknown keys within its /64',
    file: 'packages/contract/src/values/address-block.ts',
    from: '.slice(0, 4)',
    to: '.slice(0, 8)',
    caught: {
      by: 'packages/gateway/test/failed-attempts.test.ts',
      test: 'a client cannot escape the count by moving within its /64',
    },
  },
  {
    breaks: 'look-ups that still run count towards the limit of an address',
    file: 'packages/gateway/src/limits/failed-attempts.ts',
    from: 'this.#log.held(block) + (this.#pending.get(block) ?? 0) >= most',
    to: 'this.#log.held(block) >= most',
    caught: {
      by: 'packages/gateway/test/failed-attempts.test.ts',
      test: 'failures and running look-ups together exhaust an address',
    },
  },
  {
    breaks: 'the sixty-first unknown key of a minute is told to wait',
    file: 'packages/gateway/src/limits/failed-attempts.ts',
    from: 'const FAILURES_A_WINDOW = 60',
    to: 'const FAILURES_A_WINDOW = 61',
    caught: {
      by: 'packages/gateway/test/failed-attempts.test.ts',
      test: 'sixty failures a minute get 401, and the next ones get a time to wait',
    },
  },
  {
    breaks: 'an address in a short spelling is the same /64',
    file: 'packages/contract/src/values/address-block.ts',
    from: ".fill('0')",
    to: ".fill('')",
    caught: {
      by: 'packages/gateway/test/failed-attempts.test.ts',
      test: 'an address is counted by its /64 in any spelling',
    },
  },
  {
    breaks: 'a key gets exactly its limit in a window',
    file: 'packages/gateway/src/limits/rate-limit.ts',
    from: 'const admitted = log.count < limit',
    to: 'const admitted = log.count <= limit',
    caught: {
      by: 'packages/gateway/test/rate-limit.test.ts',
      test: 'as many requests as the limit are admitted in a window, and the next one when the oldest has left',
    },
  },
  {
    breaks: 'a refused request does not count',
    file: 'packages/gateway/src/limits/rate-limit.ts',
    from: 'if (admitted) log.append(now)',
    to: 'log.append(now)',
    caught: { by: 'packages/gateway/test/rate-limit.test.ts', test: 'refused requests do not count' },
  },
  {
    breaks: 'who waits the told seconds is admitted',
    file: 'packages/gateway/src/limits/rate-limit.ts',
    from: 'Math.max(1, Math.ceil(resetMs / 1000))',
    to: 'Math.max(1, Math.floor(resetMs / 1000))',
    caught: {
      by: 'packages/gateway/test/rate-limit.test.ts',
      test: 'seconds are rounded up, so a client that waits that long is admitted',
    },
  },
  {
    breaks: 'a request leaves the window exactly when it ends',
    file: 'packages/gateway/src/limits/rate-limit.ts',
    from: 'while (this.count > 0 && this.#at(0) + windowMs <= now)',
    to: 'while (this.count > 0 && this.#at(0) + windowMs < now)',
    caught: {
      by: 'packages/gateway/test/rate-limit.test.ts',
      test: 'whatever the timing: never more than the limit in any window, and never fewer than it allows',
    },
  },
  {
    breaks: 'a burst is counted in full while earlier requests are still in the window',
    file: 'packages/gateway/src/limits/rate-limit.ts',
    from: 'times.set(this.#times.subarray(0, this.#first), tail.length)',
    to: '',
    caught: {
      by: 'packages/gateway/test/rate-limit.test.ts',
      test: 'a burst larger than the ones before it, while some of those are still in the window, is counted in full',
    },
  },
  {
    breaks: 'a busy key is not forgotten when idle ones are',
    file: 'packages/gateway/src/limits/rate-limit.ts',
    from: 'if (!full && log.newest() + this.#windowMs > now) this.#logs.set(id, log)',
    to: 'if (!full && log.newest() > now) this.#logs.set(id, log)',
    caught: {
      by: 'packages/gateway/test/rate-limit.test.ts',
      test: 'logs of idle keys are removed, those of busy keys stay',
    },
  },
  {
    breaks: 'the memory for rate limits is bounded',
    file: 'packages/gateway/src/limits/rate-limit.ts',
    from: 'const full = this.#logs.size >= this.#maxLogs',
    to: 'const full = false',
    caught: {
      by: 'packages/gateway/test/rate-limit.test.ts',
      test: 'the number of logs is limited, even when all keys are busy',
    },
  },
  {
    breaks: 'a key has at most twenty requests running',
    file: 'packages/gateway/src/limits/concurrency-limit.ts',
    from: 'if (running.count < this.#maxRunning)',
    to: 'if (running.count <= this.#maxRunning)',
    caught: {
      by: 'packages/gateway/test/concurrency-limit.test.ts',
      test: 'twenty requests of a key enter at once, the next waits for a place, other keys do not',
    },
  },
  {
    breaks: 'waiting requests of a key run in their order',
    file: 'packages/gateway/src/limits/concurrency-limit.ts',
    from: 'const next = running.waiters.shift()',
    to: 'const next = running.waiters.pop()',
    caught: {
      by: 'packages/gateway/test/concurrency-limit.test.ts',
      test: 'waiting requests enter in their order of arrival',
    },
  },
  {
    breaks: 'a request that gave up takes no place afterwards',
    file: 'packages/gateway/src/limits/concurrency-limit.ts',
    from: '        waiters.splice(waiters.indexOf(waiter), 1)\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/concurrency-limit.test.ts',
      test: 'a client that disconnects gives up its turn',
    },
  },
  {
    breaks: 'a client that has gone does not wait for a place',
    file: 'packages/gateway/src/limits/concurrency-limit.ts',
    from: 'if (signal?.aborted) return Promise.reject(signal.reason)',
    to: '',
    caught: {
      by: 'packages/gateway/test/concurrency-limit.test.ts',
      test: 'a client that has already gone does not wait',
    },
  },
  {
    breaks: 'the line of a key is bounded',
    file: 'packages/gateway/src/limits/concurrency-limit.ts',
    from: 'if (running.waiters.length >= this.#maxWaiting) return',
    to: 'if (running.waiters.length > this.#maxWaiting) return',
    caught: {
      by: 'packages/gateway/test/concurrency-limit.test.ts',
      test: 'when too many wait the next one is refused at once',
    },
  },
  {
    breaks: 'each request of a group gets the answer for its own key',
    file: 'packages/gateway/src/limits/remote-rate-limit.ts',
    from: '(await this.#group.answered)[place]',
    to: '(await this.#group.answered)[Math.min(place, 0)]',
    caught: {
      by: 'packages/gateway/test/remote-rate-limit.test.ts',
      test: 'the requests of one turn of the event loop share a message, and each gets the answer for its own key',
    },
  },
  {
    breaks: 'no request is admitted when nobody counts it',
    file: 'packages/gateway/src/limits/remote-rate-limit.ts',
    from: "if (taken === undefined) throw new Error('a request of a key was not counted')\n    return taken",
    to: 'return taken ?? { admitted: true, limit, remaining: 0, resetSeconds: 1, retryAfterSeconds: 0 }',
    caught: {
      by: 'packages/gateway/test/remote-rate-limit.test.ts',
      test: 'no request is admitted when nobody counts it',
    },
  },
]
