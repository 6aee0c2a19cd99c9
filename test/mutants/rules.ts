// Mutants of what tests of every day try in part, and only CI whole: rules about all operations, the conformance kit, the client's types.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a body of very many values costs little to refuse',
    file: 'packages/contract/src/input/json-text.ts',
    from: "if (size.values > values) throw refusal('too_many'",
    to: "if (size.values > 1000 * values) throw refusal('too_many'",
    caught: {
      by: 'test/rules/refusal-cost.test.ts',
      test: 'a refused body of payments.create costs little, with any content',
    },
  },
  {
    breaks: 'a client that sends its headers slowly is disconnected within seconds',
    file: 'packages/gateway/src/connections/limited-server.ts',
    from: 'headersTimeout: 5_000',
    to: 'headersTimeout: 14_000',
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'a client that sends its headers slowly gets 408 and is disconnected',
    },
  },
  {
    breaks: 'a request to a silent backend ends at its deadline',
    file: 'packages/gateway/src/limits/deadline.ts',
    from: 'now - startedAt >= this.#ms',
    to: 'now - startedAt >= 2 * this.#ms',
    caught: {
      by: 'test/rules/deadline.test.ts',
      test: 'a backend that does not answer costs a request no more than its deadline, and the next request nothing',
    },
  },
  {
    breaks: 'no request is given up before its deadline',
    file: 'packages/gateway/src/limits/deadline.ts',
    from: 'now - startedAt >= this.#ms',
    to: 'now - startedAt >= this.#ms / 2',
    caught: {
      by: 'test/rules/deadline.test.ts',
      test: 'a backend that does not answer costs a request no more than its deadline, and the next request nothing',
    },
  },
  {
    breaks: 'a slow download outlives the deadline of requests',
    file: 'packages/gateway/src/gateway.ts',
    from: '{ compress: false, handlerTimeout: FILE_LINK_SECONDS * 1000 }',
    to: '{ compress: false }',
    caught: { by: 'test/rules/hostile.test.ts', test: 'a download may take longer than a request may' },
  },
  {
    breaks: 'a key with very many expired admissions does not hold up Redis',
    file: 'packages/gateway/src/limits/redis-rate-limit.ts',
    from: '    step = step * 2\n',
    to: '    step = 1\n',
    caught: {
      by: 'packages/gateway/test/redis-rate-limit.test.ts',
      test: 'many thousand expired admissions are removed in a few steps',
    },
  },
  {
    breaks: 'a Redis that swallows everything delays few requests',
    file: 'packages/gateway/src/limits/redis-rate-limit.ts',
    from: 'const PATIENCE_MS = 150',
    to: 'const PATIENCE_MS = 5_000',
    caught: {
      by: 'packages/gateway/test/redis-rate-limit.test.ts',
      test: 'a Redis that swallows everything delays a few requests briefly, and the next ones not at all',
    },
  },
  {
    breaks: 'so many files of a backend are open, and one more is refused at once',
    file: 'packages/gateway/src/http-backend/remote-files.ts',
    from: 'if (this.#open >= MAX_OPEN) throw',
    to: 'if (this.#open > 2 * MAX_OPEN) throw',
    caught: {
      by: 'packages/gateway/test/remote-files.test.ts',
      test: 'at most 64 files are open, and one that is given up makes room',
    },
  },
  {
    breaks: 'every field of the published types is documented',
    file: 'packages/client/scripts/type-text.ts',
    from: 'return `${fieldComment(field, value)}${name}',
    to: 'return `${name}',
    caught: {
      by: 'packages/client/test/documentation.test.ts',
      test: 'every field of every resource and input says what it means',
    },
  },
  {
    breaks: 'every method says what it throws',
    file: 'packages/client/scripts/methods-text.ts',
    from: "    '@throws ClinicDataError, or the reason of `signal`.',\n",
    to: '',
    caught: {
      by: 'packages/client/test/documentation.test.ts',
      test: 'every method says what it does, takes, throws and answers, with an example',
    },
  },
  {
    breaks: 'every method says what it does in full',
    file: 'packages/client/scripts/methods-text.ts',
    from: '`${summary}. ${description}`',
    to: '`${summary}. `',
    caught: {
      by: 'packages/client/test/documentation.test.ts',
      test: 'every method says what it does, takes, throws and answers, with an example',
    },
  },
  {
    breaks: 'a page that ends early is noticed by the kit',
    file: 'packages/conformance/src/rule.ts',
    from: '    this.broken += 1\n',
    to: '',
    caught: {
      by: 'packages/conformance/test/conformance-faults.test.ts',
      test: 'each broken rule fails: port, lists',
    },
  },
  {
    breaks: 'the kit notices a file that another clinic can open',
    file: 'packages/conformance/src/rules/file-rules.ts',
    from: "outcome.state === 'missing' || isOwn)",
    to: "outcome.state !== 'unusable' || isOwn)",
    caught: {
      by: 'packages/conformance/test/conformance-faults.test.ts',
      test: 'each broken rule fails: isolation, writes',
    },
  },
  {
    breaks: 'the kit notices a position that continues in another clinic',
    file: 'packages/conformance/src/rules/isolation-rules.ts',
    from: 'leaked === undefined)',
    to: 'leaked !== null)',
    caught: {
      by: 'packages/conformance/test/conformance-faults.test.ts',
      test: 'each broken rule fails: isolation, writes',
    },
  },
  {
    breaks: 'the kit notices a list that shows the rows of another clinic',
    file: 'packages/conformance/src/rules/isolation-rules.ts',
    from: 'shared === undefined)',
    to: 'shared !== null)',
    caught: {
      by: 'packages/conformance/test/conformance-faults.test.ts',
      test: 'each broken rule fails: one clinic',
    },
  },
  {
    breaks: 'the kit finds no fault in a correct backend',
    file: 'packages/conformance/src/list-orders.ts',
    from: "order.direction === 'ascending' ? 1 : -1",
    to: "order.direction === 'ascending' ? -1 : 1",
    caught: { by: 'packages/conformance/test/conformance-faults.test.ts', test: 'the reference passes' },
  },
  {
    breaks: 'the certificate of a Redis is trusted by the authority that its address names',
    file: 'packages/gateway/src/limits/redis-tls.ts',
    from: "file === undefined || file === ''",
    to: 'file !== null',
    caught: {
      by: 'packages/operator/test/doctor.test.ts',
      test: 'a Redis whose certificate comes from an authority of its own is trusted by the file that its address names',
    },
  },
]
