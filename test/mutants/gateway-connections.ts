// Mutants of the gateway's addresses, connections, messages and downloads.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'behind proxies the client is the last address that none of them has',
    file: 'packages/gateway/src/connections/client-address.ts',
    from: 'hops.reverse().slice(0, MAX_HOPS)',
    to: 'hops.slice(0, MAX_HOPS)',
    caught: {
      by: 'packages/gateway/test/client-address.test.ts',
      test: 'behind trusted proxies the client is the rightmost address that is not one of them',
    },
  },
  {
    breaks: 'who is no trusted proxy cannot name another client',
    file: 'packages/gateway/src/connections/client-address.ts',
    from: 'if (this.#trusted === null || forwarded === undefined || !this.#trusts(peer)) return peer',
    to: 'if (this.#trusted === null || forwarded === undefined) return peer',
    caught: {
      by: 'packages/gateway/test/client-address.test.ts',
      test: 'a peer that is no trusted proxy is the client, even if it sends forwarding headers',
    },
  },
  {
    breaks: 'without trusted proxies nobody can name another client',
    file: 'packages/gateway/src/connections/client-address.ts',
    from: 'this.#trusted = trustedProxies.length === 0 ? null : blockList(trustedProxies)',
    to: "this.#trusted = blockList(trustedProxies.length === 0 ? ['0.0.0.0/0'] : trustedProxies)",
    caught: {
      by: 'packages/gateway/test/client-address.test.ts',
      test: 'without trusted proxies X-Forwarded-For is never trusted',
    },
  },
  {
    breaks: 'what stands before a malformed address is not believed',
    file: 'packages/gateway/src/connections/client-address.ts',
    from: 'if (isIP(address) === 0) return client',
    to: 'if (isIP(address) === 0) continue',
    caught: {
      by: 'packages/gateway/test/client-address.test.ts',
      test: 'a malformed address ends the search, and the proxy that passed it on is the client',
    },
  },
  {
    breaks: 'of an endless list of addresses only the end is read',
    file: 'packages/gateway/src/connections/client-address.ts',
    from: '.reverse().slice(0, MAX_HOPS)',
    to: '.reverse()',
    caught: {
      by: 'packages/gateway/test/client-address.test.ts',
      test: 'of a list longer than any chain of proxies only the end is read',
    },
  },
  {
    breaks: 'an IPv4 client of a dual-stack socket is an IPv4 client',
    file: 'packages/gateway/src/connections/client-address.ts',
    from: "return text.startsWith('::ffff:') || text.includes('%') ? normalAddress(text) : text",
    to: 'return text',
    caught: {
      by: 'packages/gateway/test/client-address.test.ts',
      test: 'an IPv4 client of a dual-stack socket is an IPv4 client',
    },
  },
  {
    breaks: 'a connection that ends gives back the places of its waiting requests',
    file: 'packages/gateway/src/connections/connection-line.ts',
    from: '    waitingInAll -= line.waiting.length\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/connection-places.test.ts',
      test: 'a connection that ends gives back all places of its waiting requests',
    },
  },
  {
    breaks: 'the waiting requests of the whole process are bounded',
    file: 'packages/gateway/src/connections/connection-line.ts',
    from: ' && waitingInAll < MAX_WAITING_IN_ALL',
    to: '',
    caught: {
      by: 'packages/gateway/test/connection-line.test.ts',
      test: 'the number of waiting requests in the process is limited, and a connection that ends makes room',
    },
  },
  {
    breaks: 'one request of a connection runs at a time',
    file: 'packages/gateway/src/connections/connection-line.ts',
    from: '      line.isRunning = true\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/connection-line.test.ts',
      test: 'of the requests that a connection sends ahead one runs at a time, and all are answered in order',
    },
  },
  {
    breaks: 'nothing of a packet runs when its connection is cut',
    file: 'packages/gateway/src/connections/connection-line.ts',
    from: 'else process.nextTick(run, line, request, response)',
    to: 'else run(line, request, response)',
    caught: {
      by: 'packages/gateway/test/connection-line.test.ts',
      test: 'a connection with too many waiting requests is cut, none of that packet runs, and others are served',
    },
  },
  {
    breaks: 'a second Authorization header is refused',
    file: 'packages/gateway/src/connections/message-rules.ts',
    from: "const ONCE = ['Host', 'Authorization', 'Content-Type']",
    to: "const ONCE = ['Host', 'Content-Type']",
    caught: {
      by: 'packages/gateway/test/message-rules.test.ts',
      test: 'a repeated header is noticed in any mixture of spellings',
    },
  },
  {
    breaks: 'a repeated header is noticed in any spelling',
    file: 'packages/gateway/src/connections/message-rules.ts',
    from: 'SPELLINGS.get(spelling) ?? SPELLINGS.get(spelling.toLowerCase())',
    to: 'SPELLINGS.get(spelling)',
    caught: {
      by: 'packages/gateway/test/message-rules.test.ts',
      test: 'a repeated header is noticed in any mixture of spellings',
    },
  },
  {
    breaks: 'a request without Host is refused',
    file: 'packages/gateway/src/connections/message-rules.ts',
    from: "if (httpVersion === '1.1' && !headers.host)",
    to: "if (httpVersion === '2.0' && !headers.host)",
    caught: { by: 'test/rules/http.test.ts', test: 'every refusal of the parser is a problem' },
  },
  {
    breaks: 'an address of more than 8 KiB is refused',
    file: 'packages/gateway/src/connections/message-rules.ts',
    from: 'if ((url?.length ?? 0) > REQUEST.url_bytes) return addressTooLong()\n',
    to: '',
    caught: { by: 'test/rules/http.test.ts', test: 'every refusal of the parser is a problem' },
  },
  {
    breaks: 'an unread body is not taken for the next request',
    file: 'packages/gateway/src/connections/limited-server.ts',
    from: "if (!complete && announced !== '0') reply.header('connection', 'close')",
    to: "if (!complete && announced === '0') reply.header('connection', 'close')",
    caught: { by: 'test/rules/hostile.test.ts', test: 'an unread body gets one answer, which ends the connection' },
  },
  {
    breaks: 'a slow client cannot keep a connection with half a request',
    file: 'packages/gateway/src/connections/limited-server.ts',
    from: 'headersTimeout: 5_000,',
    to: 'headersTimeout: 0,',
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'a client that sends its headers slowly gets 408 and is disconnected',
    },
  },
  {
    breaks: 'a process with few open files still accepts a connection',
    file: 'packages/gateway/src/connections/connection-shares.ts',
    from: 'Math.max(1, Math.min(most, Math.floor(files)))',
    to: 'Math.min(most, Math.floor(files))',
    caught: { by: 'packages/gateway/test/connection-shares.test.ts', test: 'there is always a connection left' },
  },
  {
    breaks: 'the listeners together never take the files that the process needs',
    file: 'packages/gateway/src/connections/connection-shares.ts',
    from: 'public: share(free * (1 - PRIVATE_PART), MOST)',
    to: 'public: share(free, MOST)',
    caught: {
      by: 'packages/gateway/test/connection-shares.test.ts',
      test: "the listeners' shares never exceed the open files that are left for connections",
    },
  },
  {
    breaks: 'a file has at most four readers of a key at once',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '{ file: 4, key: 8 }',
    to: '{ file: 5, key: 8 }',
    caught: {
      by: 'packages/gateway/test/downloads.test.ts',
      test: 'a file has four readers and a key eight, the next waits for one to end, and other keys are not delayed',
    },
  },
  {
    breaks: 'a download of one key does not wait for those of another',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '{clinic_id} $',
    to: '{clinic_id} {',
    caught: { by: 'packages/gateway/test/downloads.test.ts' },
  },
  {
    breaks: 'the downloads of two clinics whose keys have the same id are counted apart',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '{clinic_id} $',
    to: '{key_id} $',
    caught: {
      by: 'packages/gateway/test/download-places.test.ts',
      test: 'the downloads of two clinics whose keys have the same id are counted apart',
    },
  },
  {
    breaks: 'a client that leaves the line of its key gives back its place at the file',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '      this.#ofFile.leave(file)\n      throw error',
    to: '      throw error',
    caught: {
      by: 'packages/gateway/test/download-places.test.ts',
      test: 'a client that leaves the line of its key gives back its place at the file',
    },
  },
  {
    breaks: 'a reader that has gone ends the source',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '    source.destroy()\n    end(error, done)',
    to: '    end(error, done)',
    caught: {
      by: 'packages/gateway/test/downloads.test.ts',
      test: 'a reader that has gone before the first byte ends the source too',
    },
  },
  {
    breaks: 'a stalled reader is cut off',
    file: 'packages/gateway/src/files/downloads.ts',
    from: "const late = setTimeout(() => sent.destroy(new Error('the file was read too slowly')), Math.max(0, left))",
    to: 'const late = setTimeout(() => undefined, left)',
    caught: {
      by: 'packages/gateway/test/downloads.test.ts',
      test: 'a stalled reader is cut off, and the source with it',
    },
  },
  {
    breaks: 'a reader who takes a little at a time is cut off too',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '      left -= performance.now() - givenAt\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/download-places.test.ts',
      test: 'a reader who takes a little at a time is cut off too',
    },
  },
  {
    breaks: 'a reader who keeps the pace has a new window after each',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '      if (taken >= pace.bytes) [taken, left] = [0, pace.withinMs]\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/download-places.test.ts',
      test: 'a reader who keeps the pace reads for as long as the file lasts',
    },
  },
  {
    breaks: 'a client that goes away behind a proxy gives back its place',
    file: 'packages/gateway/src/connections/address-limit.ts',
    from: "response.once('close', () => this.#leave(address))",
    to: "response.once('finish', () => this.#leave(address))",
    caught: {
      by: 'packages/gateway/test/address-limit.test.ts',
      test: 'a download that a client of a proxy breaks off gives back its place',
    },
  },
  {
    breaks: 'a reader who goes away while the source is silent ends both',
    file: 'packages/gateway/src/files/downloads.ts',
    from: '    source.destroy()\n    end(error, done)',
    to: '    end(error, done)\n    sent.once("close", () => source.destroy())',
    caught: {
      by: 'packages/gateway/test/download-places.test.ts',
      test: 'a reader who goes away while the source is silent ends both',
    },
  },
  {
    breaks: 'connections that come at once wait for a busy process',
    file: 'packages/installation/src/listen.ts',
    from: 'const MOST_WAITING = 4_096',
    to: 'const MOST_WAITING = 511',
    caught: {
      by: 'packages/installation/test/listen.test.ts',
      test: '700 connections that come at once wait for a busy process, and none is dropped',
    },
  },
]
