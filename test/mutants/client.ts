// Mutants of the SDK: repeats, idempotency, pages, the key's secrecy, the verification of webhooks.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'further pages of a walk are as large as allowed',
    file: 'packages/client/src/clinic-data-client.ts',
    from: 'input.query?.limit ?? MOST_ROWS',
    to: 'input.query?.limit',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'further pages are as large as allowed, unless the call says otherwise',
    },
  },
  {
    breaks: 'a request that takes effect each time is not repeated after a broken connection',
    file: 'packages/client/src/retry.ts',
    from: 'if (!isTemporary || !(isRepeatable || status === REFUSED)) return null',
    to: 'if (!isTemporary) return null',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'a request that takes effect each time is repeated only when it was refused',
    },
  },
  {
    breaks: 'a refused request is repeated, whatever it does',
    file: 'packages/client/src/retry.ts',
    from: '!(isRepeatable || status === REFUSED)',
    to: '!isRepeatable',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'a request that takes effect each time is repeated only when it was refused',
    },
  },
  {
    breaks: 'a conflict of the first attempt is told to the caller',
    file: 'packages/client/src/retry.ts',
    from: 'retryAfterMs !== null && attempts > 1',
    to: 'retryAfterMs !== null && attempts > 0',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'a conflict is waited out only when our own previous attempt is still under way',
    },
  },
  {
    breaks: 'a wait of more than a minute is left to the caller',
    file: 'packages/client/src/retry.ts',
    from: 'retryAfterMs > MAX_RETRY_AFTER_MS',
    to: 'retryAfterMs > 2 * MAX_RETRY_AFTER_MS',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'Retry-After in seconds or as a date is waited for up to a minute, longer ones are left to the caller',
    },
  },
  {
    breaks: 'the client waits at least as long as it is told',
    file: 'packages/client/src/retry.ts',
    from: 'Math.ceil((retryAfterMs ?? 0) + random() * backoff)',
    to: 'Math.ceil(Math.max(retryAfterMs ?? 0, backoff) * random())',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'Retry-After in seconds or as a date is waited for up to a minute, longer ones are left to the caller',
    },
  },
  {
    breaks: 'pauses are random, so that clients do not come back together',
    file: 'packages/client/src/retry.ts',
    from: 'random() * backoff',
    to: 'backoff',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'the pause is a random part of a backoff that doubles up to a bound',
    },
  },
  {
    breaks: 'a gateway that cannot reach its backend is asked again',
    file: 'packages/client/src/retry.ts',
    from: 'new Set([429, 500, 502, 503])',
    to: 'new Set([429, 500, 503])',
    caught: { by: 'packages/client/test/repeats.test.ts' },
  },
  {
    breaks: 'a date as Retry-After is understood',
    file: 'packages/client/src/retry.ts',
    from: 'Number(header) * 1000 : Date.parse(header) - now',
    to: 'Number(header) * 1000 : Number.NaN',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'Retry-After in seconds or as a date is waited for up to a minute, longer ones are left to the caller',
    },
  },
  {
    breaks: 'a call is repeated at most as often as was set',
    file: 'packages/client/src/clinic-data-client.ts',
    from: 'if (pause === null || attempts > maxRetries) throw',
    to: 'if (pause === null || attempts > maxRetries + 1) throw',
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'repeats can be turned off for the client and for a call',
    },
  },
  {
    breaks: 'a write has its own Idempotency-Key for each call',
    file: 'packages/client/src/clinic-data-client.ts',
    from: "if (effect === 'once a key') {",
    to: "if (effect === 'once a key' && input.idempotencyKey !== undefined) {",
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: 'a write that takes an Idempotency-Key is repeated under the same key, and each call has its own',
    },
  },
  {
    breaks: 'an id cannot lead to another path',
    file: 'packages/client/src/clinic-data-client.ts',
    from: 'return encodeURIComponent(id)',
    to: 'return encodeURI(id)',
    caught: { by: 'packages/client/test/clinic-data-client.test.ts' },
  },
  {
    breaks: 'dots as an id are refused',
    file: 'packages/client/src/clinic-data-client.ts',
    from: '/^\\.{0,2}$/.test(id)',
    to: "id === ''",
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'an id that would lead to another path, and an unknown operation, are refused before anything is sent',
    },
  },
  {
    breaks: 'the key does not follow a redirect',
    file: 'packages/client/src/clinic-data-client.ts',
    from: "redirect: 'manual' }",
    to: "redirect: 'follow' }",
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'a redirect is refused and the key is sent nowhere else',
    },
  },
  {
    breaks: 'a cancelled call makes no attempt',
    file: 'packages/client/src/clinic-data-client.ts',
    from: '      signal?.throwIfAborted()\n',
    to: '',
    caught: {
      by: 'packages/client/test/small-rules.test.ts',
      test: 'a call that was cancelled before it began sends nothing',
    },
  },
  {
    breaks: 'what no operation has is repeated only as a read',
    file: 'packages/client/src/clinic-data-client.ts',
    from: "method === 'GET' ? undefined : 'each time'",
    to: 'undefined',
    caught: {
      by: 'packages/client/test/small-rules.test.ts',
      test: 'what no operation has is sent once, unless it reads',
    },
  },
  {
    breaks: 'a parameter without a value is not sent',
    file: 'packages/client/src/sent-values.ts',
    from: 'if (value === undefined) continue\n',
    to: '',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'a method puts ids into the path and the rest into query or body, and omits undefined values',
    },
  },
  {
    breaks: 'a body with a NaN is refused, and not sent with null in its place',
    file: 'packages/client/src/sent-values.ts',
    from: "  checkNumbers('', body)\n",
    to: '',
    caught: {
      by: 'packages/client/test/sent-values.test.ts',
      test: 'a number that is none is refused by its name, where JSON would turn it into null',
    },
  },
  {
    breaks: 'no error shows the key',
    file: 'packages/client/src/attempt.ts',
    from: "message.replaceAll(request.secret, '…')",
    to: 'message',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'the client, its errors and their causes never show the key, however they are printed',
    },
  },
  {
    breaks: 'an answer of a proxy is not taken for one of the service',
    file: 'packages/client/src/attempt.ts',
    from: "return typeof type === 'string' && typeof title === 'string'",
    to: "return typeof type === 'string' || typeof title === 'string' || body !== undefined",
    caught: {
      by: 'packages/client/test/repeats.test.ts',
      test: "an answer that is not the service's is reported: a proxy's page, truncated JSON, another kind of body",
    },
  },
  {
    breaks: 'an error names the address without its path',
    file: 'packages/client/src/attempt.ts',
    from: 'return new URL(url).origin',
    to: 'return url',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'an error of an answer that is not the service’s names the address, without path and key',
    },
  },
  {
    breaks: 'a key is never sent over plain http to another machine',
    file: 'packages/client/src/settings.ts',
    from: "!(url.protocol === 'http:' && isLoopback)",
    to: "url.protocol !== 'http:'",
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'a base address may have a path, and one that would expose the key is refused',
    },
  },
  {
    breaks: 'a name that begins like this machine is another machine',
    file: 'packages/client/src/settings.ts',
    from: '/^(localhost|127(\\.\\d+){3}|\\[::1\\])$/',
    to: '/^(localhost|127(\\.\\d+){3}|\\[::1\\])/',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'a base address may have a path, and one that would expose the key is refused',
    },
  },
  {
    breaks: 'a key with a line end is refused without being quoted',
    file: 'packages/client/src/settings.ts',
    from: '!/^[\\x21-\\x7e]+$/.test(apiKey)',
    to: '!/^[\\x21-\\x7e]+/.test(apiKey)',
    caught: {
      by: 'packages/client/test/small-rules.test.ts',
      test: 'a key or an Idempotency-Key that would change a header is refused and not quoted',
    },
  },
  {
    breaks: 'a time of nothing or less is refused',
    file: 'packages/client/src/settings.ts',
    from: 'if (!(timeoutMs > 0))',
    to: 'if (timeoutMs < 0)',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'an impossible setting is refused before anything is sent',
    },
  },
  {
    breaks: 'an Idempotency-Key that no header takes is refused',
    file: 'packages/client/src/settings.ts',
    from: '/^[\\x21-\\x7e]{1,255}$/',
    to: '/^[\\x20-\\x7e]{1,255}$/',
    caught: {
      by: 'packages/client/test/small-rules.test.ts',
      test: 'a key or an Idempotency-Key that would change a header is refused and not quoted',
    },
  },
  {
    breaks: 'a walk ends behind the last page and no earlier',
    file: 'packages/client/src/pages.ts',
    from: 'if (page.next_cursor === null) return',
    to: 'if (page.next_cursor === null || page.data.length === 0) return',
    caught: { by: 'packages/client/test/clinic-data-client.test.ts' },
  },
  {
    breaks: 'a list that failed can be asked for again',
    file: 'packages/client/src/pages.ts',
    from: '      this.#awaited = undefined\n',
    to: '',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'a list that fails rejects whoever awaits or walks it, and asks again when it is awaited again',
    },
  },
  {
    breaks: 'those who want the first page at once share a request',
    file: 'packages/client/src/pages.ts',
    from: 'this.#firstPage ??= ',
    to: 'this.#firstPage = ',
    caught: {
      by: 'packages/client/test/clinic-data-client.test.ts',
      test: 'a walk and an await at once request the first page once, whichever begins',
    },
  },
  {
    breaks: 'a walk that an unknown id leaves empty says so',
    file: 'packages/client/src/clinic-data-client.ts',
    from: '}, this.#options.onWarning)',
    to: '}, () => undefined)',
    caught: { by: 'packages/client/test/list-warnings.test.ts' },
  },
  {
    breaks: 'a query of an unknown id says so',
    file: 'packages/client/src/clinic-data-client.ts',
    from: '    tellWarnings(body, this.#options.onWarning)\n',
    to: '',
    caught: {
      by: 'packages/client/test/list-warnings.test.ts',
      test: 'the warnings of a query and of a whole list are told, and stand in the answer',
    },
  },
  {
    breaks: 'a walk tells each warning once',
    file: 'packages/client/src/pages.ts',
    from: '        texts.add(warningText(warning))\n',
    to: '',
    caught: {
      by: 'packages/client/test/list-warnings.test.ts',
      test: 'a walk tells each warning once, and the next walk tells it again',
    },
  },
]
