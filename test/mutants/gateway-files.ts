// Mutants of what the gateway sends beside plain answers: files by their links, and answers with a secret.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an answer with a secret is not compressed',
    file: 'packages/gateway/src/gateway.ts',
    from: 'return data?.properties?.secret !== undefined',
    to: 'return data?.properties?.password !== undefined',
    caught: {
      by: 'test/rules/output.test.ts',
      test: 'an answer with a secret is never compressed, because its length would tell of the secret',
    },
  },
  {
    breaks: 'no file is served without its audit row',
    file: 'packages/gateway/src/files/files-route.ts',
    from: 'await record(edge, request, reference, { status, ...(patient_ids && { patient_ids }), count: 1 })',
    to: 'record(edge, request, reference, { status, ...(patient_ids && { patient_ids }), count: 1 }).catch(() => undefined)',
    caught: {
      by: 'test/rules/files.test.ts',
      test: 'no byte of a file leaves when its audit row cannot be stored',
    },
  },
  {
    breaks: 'a range that ends before it begins is no range',
    file: 'packages/gateway/src/files/files-route.ts',
    from: 'range.last < range.first ? null : range',
    to: 'range.last < range.first ? range : range',
    caught: { by: 'test/rules/files.test.ts', test: 'a range that ends before it begins gets the whole file' },
  },
  {
    breaks: 'HEAD heeds no range',
    file: 'packages/gateway/src/files/files-route.ts',
    from: "request.method === 'GET' ? parseRange(request.headers.range) : null",
    to: 'parseRange(request.headers.range)',
    caught: {
      by: 'test/rules/files.test.ts',
      test: 'HEAD heeds no range, which RFC 9110 defines for GET alone',
    },
  },
  {
    breaks: 'the audit says of a refused file what its answer said',
    file: 'packages/gateway/src/files/files-route.ts',
    from: '{ status: problem.status, problem: problem.slug, patient_ids, count: 0 }',
    to: '{ status: 404, problem: problem.slug, patient_ids, count: 0 }',
    caught: {
      by: 'test/rules/files.test.ts',
      test: 'a link is 410 after 15 minutes, and at once when its key is revoked, and the audit says so too',
    },
  },
  {
    breaks: 'a client that goes away in the middle of a file gives back its place',
    file: 'packages/gateway/src/files/files-route.ts',
    from: "stream.once('close', leave)",
    to: "stream.once('end', leave)",
    caught: {
      by: 'test/rules/files.test.ts',
      test: 'a client that goes away in the middle of a file gives back its place',
    },
  },
]
