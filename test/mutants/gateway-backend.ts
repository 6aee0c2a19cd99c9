// Mutants of the gateway's calls to a remote backend: repeats, breaker, deadlines, what it may say.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a write that may have arrived is not sent again',
    file: 'packages/gateway/src/http-backend/backends.ts',
    from: "error.kind === 'unreachable' && call.isRepeatable && !isRepeated",
    to: "error.kind === 'unreachable' && !isRepeated",
    caught: {
      by: 'packages/gateway/test/backends.test.ts',
      test: 'a read that broke off is repeated elsewhere, a write is not',
    },
  },
  {
    breaks: 'retries never double the load of a backend',
    file: 'packages/gateway/src/http-backend/backends.ts',
    from: 'if (!mayRepeat || !this.#retries.spend()) throw error',
    to: 'if (!mayRepeat) throw error',
    caught: {
      by: 'packages/gateway/test/http-backend-faults.test.ts',
      test: 'at most one call in ten is ever repeated',
    },
  },
  {
    breaks: 'one call in ten may be repeated, no more',
    file: 'packages/gateway/src/http-backend/retry-budget.ts',
    from: 'const SHARE = 0.1',
    to: 'const SHARE = 0.3',
    caught: {
      by: 'packages/gateway/test/http-backend-faults.test.ts',
      test: 'at most one call in ten is ever repeated',
    },
  },
  {
    breaks: 'a backend that is about to stop gets no new calls',
    file: 'packages/gateway/src/http-backend/backends.ts',
    from: 'well: 0, draining: 1, broken: 2',
    to: 'well: 0, draining: 0, broken: 2',
    caught: {
      by: 'packages/gateway/test/backends.test.ts',
      test: 'a backend that says it is about to stop gets no more calls, before it refuses any',
    },
  },
  {
    breaks: 'a call that reached no backend is sent to another one, even a write',
    file: 'packages/gateway/src/http-backend/backends.ts',
    from: 'if (error.isUnsent && tried.size < clients.length) continue',
    to: 'if (error.isUnsent && call.isRepeatable && tried.size < clients.length) continue',
    caught: {
      by: 'packages/gateway/test/backends.test.ts',
      test: 'a call that reached no backend is repeated at another, even a write, with any number of backends',
    },
  },
  {
    breaks: 'an address that the name has lost gets no more calls',
    file: 'packages/gateway/src/http-backend/backends.ts',
    from: '    this.#clients = found\n',
    to: '    this.#clients = new Map([...this.#clients, ...found])\n',
    caught: {
      by: 'packages/gateway/test/backends.test.ts',
      test: 'a name with several addresses is as many backends, and each look-up adds new ones and drops lost ones',
    },
  },
  {
    breaks: 'the gateway is ready as long as one backend is',
    file: 'packages/gateway/src/http-backend/backends.ts',
    from: 'await Promise.any(clients.map',
    to: 'await Promise.race(clients.map',
    caught: { by: 'packages/gateway/test/backends.test.ts', test: 'ready as long as one of them is' },
  },
  {
    breaks: 'an answer from before the announcement does not bring a stopping backend back',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'else if (sentAt > this.#drainingSince) this.#isDraining = false',
    to: 'else this.#isDraining = false',
    caught: {
      by: 'packages/gateway/test/backends.test.ts',
      test: 'an answer to a call from before the announcement does not bring the backend back',
    },
  },
  {
    breaks: 'after five failures in a row calls are refused at once',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'const BREAK_AFTER = 5',
    to: 'const BREAK_AFTER = 6',
    caught: {
      by: 'packages/gateway/test/http-backend-faults.test.ts',
      test: 'after five failures in a row calls are refused at once until a trial call succeeds',
    },
  },
  {
    breaks: 'nobody waits for the trial call of a broken backend',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'if (this.#breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/http-backend-faults.test.ts',
      test: 'while a trial call tests whether the backend is back, the others do not wait for it',
    },
  },
  {
    breaks: 'a call with too little time left does not open the breaker',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'const isFair = call.deadline - performance.now() >= FAIR_MS',
    to: 'const isFair = call.deadline > 0',
    caught: {
      by: 'packages/gateway/test/http-backend-faults.test.ts',
      test: "a client's refusals and calls without time left do not open the breaker",
    },
  },
  {
    breaks: 'a backend is told how long an answer is awaited',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'String(Math.max(0, Math.floor(deadline - performance.now())))',
    to: 'String(PORT_LIMITS.deadline_ms)',
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'a call carries the token, the request id, its remaining time, the principal and the input',
    },
  },
  {
    breaks: 'a message of several calls follows no form that the backend does not take',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'isShort && !isTraced() && this.#takesCalls &&',
    to: 'isShort && !isTraced() &&',
    caught: {
      by: 'packages/gateway/test/call-group.test.ts',
      test: 'a backend that does not say that it takes several calls gets each alone',
    },
  },
  {
    breaks: 'a long body goes alone',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'const isShort = body !== undefined && body.length <= PORT_LIMITS.call_characters',
    to: 'const isShort = body !== undefined',
    caught: { by: 'packages/gateway/test/call-group.test.ts', test: 'a long body goes alone' },
  },
  {
    breaks: 'audit rows are never stored twice by a repeat',
    file: 'packages/gateway/src/http-backend/http-backend.ts',
    from: 'post(portPaths.audit, { rows }, false)',
    to: 'post(portPaths.audit, { rows }, true)',
    caught: {
      by: 'packages/gateway/test/http-backend-faults.test.ts',
      test: 'writes and audit rows are never repeated',
    },
  },
  {
    breaks: 'a write is no repeatable call',
    file: 'packages/gateway/src/http-backend/http-backend.ts',
    from: "const isRepeatable = operation.effect === 'none'",
    to: "const isRepeatable = operation.effect !== 'each time'",
    caught: {
      by: 'packages/gateway/test/repeated-operations.test.ts',
      test: 'no operation that writes is sent again after an answer that did not come, and a read is',
    },
  },
  {
    breaks: 'a scope of a later contract grants nothing',
    file: 'packages/gateway/src/http-backend/http-backend.ts',
    from: 'scopes: principal.scopes.filter((scope: Scope) => allScopes.includes(scope))',
    to: 'scopes: principal.scopes.filter((scope: Scope) => allScopes.length > 0 && scope)',
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'a key is looked up by its hash, and a scope of a later contract grants nothing',
    },
  },
  {
    breaks: 'a backend of another version of the port is not ready',
    file: 'packages/gateway/src/http-backend/http-backend.ts',
    from: 'if (version !== PORT_VERSION)',
    to: 'if (version < PORT_VERSION)',
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'ready only accepts a backend that answers in this version of the port',
    },
  },
  {
    breaks: 'a gateway notices other secret keys of its backend',
    file: 'packages/contract/src/port/key-fingerprints.ts',
    from: 'mine.get(id) !== theirs.get(id)',
    to: 'mine.has(id) !== theirs.has(id)',
    caught: {
      by: 'packages/contract/test/key-fingerprints.test.ts',
      test: 'keys differ where one side does not accept what the other signs, or has another key by the same id',
    },
  },
  {
    breaks: 'no internal text of a backend reaches a client',
    file: 'packages/gateway/src/http-backend/read-answer.ts',
    from: "return upstreamError('the backend answered so')",
    to: 'return result',
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'of a problem of the backend itself only the kind reaches the client',
    },
  },
  {
    breaks: 'an internal error of a backend tells nothing else',
    file: 'packages/gateway/src/http-backend/read-answer.ts',
    from: "return new Problem(slug, problems[slug][2], {}, 'the backend answered so')",
    to: "return new Problem(slug, result.message, {}, 'the backend answered so')",
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'of a problem of the backend itself only the kind reaches the client',
    },
  },
  {
    breaks: 'a call that broke off on an open connection may have arrived',
    file: 'packages/gateway/src/http-backend/port-failure.ts',
    from: "return syscall === 'connect' || syscall === 'getaddrinfo'",
    to: 'return syscall !== undefined',
    caught: {
      by: 'packages/gateway/test/port-failure.test.ts',
      test: 'a call that broke off on an established connection may have arrived, for any code',
    },
  },
  {
    breaks: 'a call is unsent only if no address could be reached',
    file: 'packages/gateway/src/http-backend/port-failure.ts',
    from: 'error.errors.length > 0 && error.errors.every(isOfConnecting)',
    to: 'error.errors.some(isOfConnecting)',
    caught: {
      by: 'packages/gateway/test/unsent-calls.test.ts',
      test: 'of a name with several addresses, a call that one of them may have taken is not unsent',
    },
  },
  {
    breaks: 'a call that no line answers has failed',
    file: 'packages/gateway/src/http-backend/call-group.ts',
    from: "else this.#end(new PortFailure('unusable', 'no answer to one of several calls'))",
    to: 'else this.#end(new NotTaken())',
    caught: {
      by: 'packages/gateway/test/call-group.test.ts',
      test: 'lines without a call, a status or an end are no answers',
    },
  },
  {
    breaks: 'an answer to no call is none',
    file: 'packages/gateway/src/http-backend/call-group.ts',
    from: "if (call === undefined) throw new UnusableAnswer('an answer to no call')\n      call.answer(reply)",
    to: 'call?.answer(reply)',
    caught: {
      by: 'packages/gateway/test/call-group.test.ts',
      test: 'lines without a call, a status or an end are no answers',
    },
  },
  {
    breaks: 'each call of a message ends at its own deadline',
    file: 'packages/gateway/src/http-backend/call-group.ts',
    from: 'if (call.call.deadline <= now) call.giveUp()',
    to: 'if (call.call.deadline + 60_000 <= now) call.giveUp()',
    caught: {
      by: 'packages/gateway/test/call-group.test.ts',
      test: 'each call ends at its own deadline, and a problem is that of its call alone',
    },
  },
  {
    breaks: 'a call has its own answer, not that of its neighbour',
    file: 'packages/gateway/src/http-backend/call-group.ts',
    from: 'const call = message.group[place]\n',
    to: 'const call = message.group[message.group.length - 1 - place]\n',
    caught: { by: 'packages/gateway/test/call-group.test.ts' },
  },
  {
    breaks: 'at most 64 files are open',
    file: 'packages/gateway/src/http-backend/remote-files.ts',
    from: 'if (this.#open >= MAX_OPEN)',
    to: 'if (this.#open > MAX_OPEN)',
    caught: {
      by: 'packages/gateway/test/remote-files.test.ts',
      test: 'at most 64 files are open, and one that is given up makes room',
    },
  },
  {
    breaks: 'a file that is given up makes room',
    file: 'packages/gateway/src/http-backend/remote-files.ts',
    from: '      clearTimeout(timer)\n      this.#open--\n',
    to: '      clearTimeout(timer)\n',
    caught: {
      by: 'packages/gateway/test/remote-files.test.ts',
      test: 'at most 64 files are open, and one that is given up makes room',
    },
  },
]
