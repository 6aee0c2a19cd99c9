// Mutants of what leaves the gateway: answers, headers, files, the log, the pages.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the address of a new resource is valid whatever its id',
    file: 'packages/gateway/src/answers/write-output.ts',
    from: 'const id = encodeURIComponent((data as { id: string }).id)',
    to: 'const id = (data as { id: string }).id',
    caught: { by: 'packages/gateway/test/write-output.test.ts', test: 'an id is escaped so that the address is valid' },
  },
  {
    breaks: 'an existing resource is not called a new one',
    file: 'packages/gateway/src/answers/write-output.ts',
    from: 'const created = status === 201 ? reader?.path : undefined',
    to: 'const created = status > 0 ? reader?.path : undefined',
    caught: {
      by: 'packages/gateway/test/write-output.test.ts',
      test: 'an existing resource, one that cannot be read and one that was only read have no address',
    },
  },
  {
    breaks: 'a repeated answer says that it is one',
    file: 'packages/gateway/src/answers/write-output.ts',
    from: "...(replayed && { 'idempotent-replayed': 'true' }),",
    to: "...(replayed && status === 200 && { 'idempotent-replayed': 'true' }),",
    caught: {
      by: 'packages/gateway/test/write-output.test.ts',
      test: 'a repeated answer says so, with the same status and address',
    },
  },
  {
    breaks: 'a list longer than agreed does not leave',
    file: 'packages/contract/src/port/data-writer.ts',
    from: 'if (!Array.isArray(data) || data.length > maxItems)',
    to: 'if (!Array.isArray(data))',
    caught: {
      by: 'packages/gateway/test/answer-bounds.test.ts',
      test: 'a list longer than agreed is 502, not a longer answer',
    },
  },
  {
    breaks: 'only filters of the operation itself are warned about',
    file: 'packages/gateway/src/answers/write-output.ts',
    from: 'const named = unknown_ids.filter((name) => Object.hasOwn(unknownIds, name))',
    to: 'const named = unknown_ids',
    caught: {
      by: 'packages/gateway/test/answer-bounds.test.ts',
      test: 'an empty list warns only of filters that its operation has',
    },
  },
  {
    breaks: 'a query warns only of filters by ids',
    file: 'packages/gateway/src/answers/write-output.ts',
    from: 'idFilters.includes(filter) && values.length > 0',
    to: 'values.length > 0',
    caught: {
      by: 'packages/gateway/test/answer-bounds.test.ts',
      test: 'a query warns only of filters by ids, and an answer without such a warning has no meta',
    },
  },
  {
    breaks: 'an audit row names at most a hundred resources',
    file: 'packages/contract/src/port/audited.ts',
    from: "if (typeof name === 'string' && resource_ids.length < AUDITED_IDS) resource_ids.push(name)",
    to: "if (typeof name === 'string') resource_ids.push(name)",
    caught: {
      by: 'packages/gateway/test/answer-bounds.test.ts',
      test: 'an audit row names at most a hundred resources, counts all, and names all of their patients',
    },
  },
  {
    breaks: 'an answer without a promised field is 502',
    file: 'packages/gateway/src/answers/write-output.ts',
    from: 'throw upstreamError(new Error(operation.id, { cause: error }))',
    to: "return '{}'",
    caught: {
      by: 'test/rules/output.test.ts',
      test: 'a backend that leaves out a promised field causes a 502, not half an answer',
    },
  },
  {
    breaks: 'an answer that changed anywhere is sent again',
    file: 'packages/gateway/src/answers/etag.ts',
    from: "hash('sha1', body, 'base64url')",
    to: "hash('sha1', body.slice(0, 1000), 'base64url')",
    caught: {
      by: 'packages/gateway/test/etag.test.ts',
      test: 'answers that differ in one byte anywhere have different tags',
    },
  },
  {
    breaks: 'a part of a tag is not the tag',
    file: 'packages/gateway/src/answers/etag.ts',
    from: "one.trim().replace(/^W\\//, '') === opaque",
    to: "opaque.startsWith(one.trim().replace(/^W\\//, ''))",
    caught: {
      by: 'packages/gateway/test/etag.test.ts',
      test: 'a tag matches in any list, weak or strong, and never by a part of it',
    },
  },
  {
    breaks: 'no answer is kept by a browser or a proxy',
    file: 'packages/gateway/src/answers/standing-headers.ts',
    from: "'cache-control': 'no-store',",
    to: "'cache-control': 'private',",
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'every answer has a request id of ours and the security headers, for every request',
    },
  },
  {
    breaks: 'no answer is taken for another media type',
    file: 'packages/gateway/src/answers/standing-headers.ts',
    from: "    'x-content-type-options': 'nosniff',\n",
    to: '',
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'every answer has a request id of ours and the security headers, for every request',
    },
  },
  {
    breaks: 'an installation on https binds browsers to https',
    file: 'packages/gateway/src/answers/standing-headers.ts',
    from: "baseUrl.startsWith('https:')",
    to: "baseUrl.startsWith('https//')",
    caught: { by: 'test/rules/http.test.ts' },
  },
  {
    breaks: 'the request id is ours, whatever the client sends',
    file: 'packages/gateway/src/gateway.ts',
    from: 'genReqId: newRequestId,',
    to: "requestIdHeader: 'x-request-id',\n    genReqId: newRequestId,",
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'every answer has a request id of ours and the security headers, for every request',
    },
  },
  {
    breaks: 'no public error holds an internal text',
    file: 'packages/gateway/src/answers/problem-response.ts',
    from: "'An unexpected error. Retry with backoff; give support the request_id if it persists.',\n    {},\n    error,",
    to: 'String(error),\n    {},\n    error,',
    caught: {
      by: 'packages/gateway/test/answer-bounds.test.ts',
      test: 'an error that nobody foresaw shows nothing of itself',
    },
  },
  {
    breaks: 'a gateway that is draining is not ready',
    file: 'packages/gateway/src/health-routes.ts',
    from: "if (health.isDraining()) throw notReady('This instance is stopping.')\n",
    to: '',
    caught: {
      by: 'test/rules/last-answers.test.ts',
      test: 'a gateway that drains is not ready but keeps its connections, and then answers once more on each and refuses new ones',
    },
  },
  {
    breaks: 'a gateway without its backend is not ready',
    file: 'packages/gateway/src/health-routes.ts',
    from: "throw notReady('The backend does not answer.', error)",
    to: 'return undefined',
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'the process is always healthy, and it is ready while its backend answers',
    },
  },
  {
    breaks: 'the health check is answered under any load',
    file: 'packages/gateway/src/limits/shedding.ts',
    from: ' || request.routeOptions.config.isNeverShed',
    to: '',
    caught: {
      by: 'test/rules/limits.test.ts',
      test: 'a gateway whose event loop is late sheds requests with 503 and Retry-After, and serves again when it is on time',
    },
  },
  {
    breaks: 'a slow start is not an overload',
    file: 'packages/gateway/src/limits/shedding.ts',
    from: 'if (now <= readyAt + SETTLED_MS || ',
    to: 'if (',
    caught: {
      by: 'test/rules/limits.test.ts',
      test: 'a slow start is not an overload, and the first requests are served',
    },
  },
  {
    breaks: 'another method is refused before any key is read, and Allow names the right ones',
    file: 'packages/gateway/src/gateway.ts',
    from: 'if (!methods || methods.includes(request.method)) return done(unknownPath(path))',
    to: "if (methods || path === '') return done(unknownPath(path))\n    if (!methods) return done(unknownPath(path))",
    caught: { by: 'test/rules/http.test.ts' },
  },
  {
    breaks: 'no log line holds the address that was asked for',
    file: 'packages/gateway/src/gateway.ts',
    from: "return observed.route ?? routeOptions.url?.replaceAll(/:(\\w+)/g, '{$1}') ?? 'none'",
    to: "return observed.watched?.reply.request.url ?? observed.route ?? routeOptions.url ?? 'none'",
    caught: {
      by: 'test/rules/audit.test.ts',
      test: 'no log line and no problem holds a query, a name, a phone or a key',
    },
  },
  {
    breaks: 'an error in the log quotes no row',
    file: 'packages/gateway/src/telemetry/log.ts',
    from: "    'err.detail',\n",
    to: '',
    caught: {
      by: 'packages/gateway/test/log.test.ts',
      test: 'an error in the log carries no values of its row, key or request',
    },
  },
  {
    breaks: 'the log holds no key',
    file: 'packages/gateway/src/telemetry/log.ts',
    from: "    'authorization',\n",
    to: '',
    caught: {
      by: 'packages/gateway/test/log.test.ts',
      test: 'an error in the log carries no values of its row, key or request',
    },
  },
  {
    breaks: 'no text of the document becomes an attribute of the page',
    file: 'packages/gateway/src/reference/html.ts',
    from: '/[&<>"\']/g',
    to: '/[&<>]/g',
    caught: { by: 'packages/gateway/test/html.test.ts', test: 'a text cannot end its element or its attribute' },
  },
  {
    breaks: 'no link of a text runs a script',
    file: 'packages/gateway/src/reference/markdown.ts',
    from: 'LEADS_ON.test(target)',
    to: "target !== ''",
    caught: {
      by: 'packages/gateway/test/html.test.ts',
      test: 'a link of a text leads to an address, never to a script',
    },
  },
  {
    breaks: 'a refused file request leaves an audit row',
    file: 'packages/gateway/src/files/files-route.ts',
    from: '    await record(edge, request, reference, { status: problem.status, problem: problem.slug, patient_ids, count: 0 })\n',
    to: '',
    caught: {
      by: 'test/rules/files.test.ts',
      test: 'every serving of a file leaves its audit row, including ranges and refusals',
    },
  },
  {
    breaks: 'a range of a file leaves an audit row with its own status',
    file: 'packages/gateway/src/files/files-route.ts',
    from: 'const status = range === null ? 200 : 206',
    to: 'const status = range === undefined ? 206 : 200',
    caught: {
      by: 'test/rules/files.test.ts',
      test: 'every serving of a file leaves its audit row, including ranges and refusals',
    },
  },
  {
    breaks: 'a file is saved, never shown in the name of the service',
    file: 'packages/gateway/src/files/files-route.ts',
    from: "`attachment; filename*=UTF-8''",
    to: "`inline; filename*=UTF-8''",
    caught: { by: 'test/rules/files.test.ts' },
  },
  {
    breaks: 'a link of a revoked key is 410',
    file: 'packages/gateway/src/files/files-route.ts',
    from: "if (opened.state === 'revoked') return expired()",
    to: "if (opened.state === 'revoked') return new Problem('not-found', 'The file is gone.')",
    caught: {
      by: 'test/rules/files.test.ts',
      test: 'a link is 410 after 15 minutes, and at once when its key is revoked, and the audit says so too',
    },
  },
  {
    breaks: 'a finished download gives back its place',
    file: 'packages/gateway/src/files/files-route.ts',
    from: "      stream.once('close', leave)\n",
    to: '',
    caught: { by: 'test/rules/files.test.ts' },
  },
  {
    breaks: 'an audit row names all patients of an answer',
    file: 'packages/contract/src/port/audited.ts',
    from: '...patientsOf(patients, rows), ...beside',
    to: '...patientsOf(patients, rows.slice(0, AUDITED_IDS)), ...beside',
    caught: {
      by: 'packages/gateway/test/answer-bounds.test.ts',
      test: 'an audit row names at most a hundred resources, counts all, and names all of their patients',
    },
  },
  {
    breaks: 'the use of a file link names whose file it is',
    file: 'packages/gateway/src/files/files-route.ts',
    from: '...(patient_ids && { patient_ids })',
    to: 'patient_ids: []',
    caught: {
      by: 'test/rules/audit-patients.test.ts',
      test: 'calls.recording.get and the use of its link name the patients whose file it is',
    },
  },
  {
    breaks: 'a listener that closes leaves the connections open that a proxy keeps',
    file: 'packages/gateway/src/connections/last-answers.ts',
    from: 'Listener.prototype.close.call(app.server)',
    to: 'app.server.close()',
    caught: {
      by: 'test/rules/last-answers.test.ts',
      test: 'a gateway that drains is not ready but keeps its connections, and then answers once more on each and refuses new ones',
    },
  },
]
