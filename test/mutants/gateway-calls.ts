// Mutants of a call at the gateway: waiting feeds, scopes, the key's limit, audit rows.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a key that was revoked during a wait gets no more events',
    file: 'packages/gateway/src/calls/until-rows.ts',
    from: '    await checkKey?.()\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/until-rows.test.ts',
      test: 'a key that is no longer valid gets no more events',
    },
  },
  {
    breaks: 'a wait misses no event',
    file: 'packages/gateway/src/calls/until-rows.ts',
    from: 'answer = await ask({ ...input, query: { ...input.query, after: answer.resume } })',
    to: 'answer = await ask(input)',
    caught: {
      by: 'packages/gateway/test/until-rows.test.ts',
      test: 'it is asked again from where each answer ended, until there are rows',
    },
  },
  {
    breaks: 'an empty page that is not the last is answered at once',
    file: 'packages/gateway/src/calls/until-rows.ts',
    from: 'return !next && Array.isArray(data)',
    to: 'return Array.isArray(data)',
    caught: {
      by: 'packages/gateway/test/until-rows.test.ts',
      test: 'an empty page that is not the last is answered unchanged',
    },
  },
  {
    breaks: 'a refusal leaves an audit row',
    file: 'packages/gateway/src/calls/call.ts',
    from: '        await audit(edge, asking, operation, { ...ids, ...refusalOf(problem) })\n',
    to: '',
    caught: {
      by: 'test/rules/audit.test.ts',
      test: 'each request of a key leaves one row with the requested ids before its answer, also when it is denied or fails',
    },
  },
  {
    breaks: 'a refusal is recorded with the ids that were asked for',
    file: 'packages/gateway/src/calls/call.ts',
    from: 'const ids = { resource_ids: idsIn(asking)',
    to: 'const ids = { resource_ids: []',
    caught: {
      by: 'test/rules/audit.test.ts',
      test: 'each request of a key leaves one row with the requested ids before its answer, also when it is denied or fails',
    },
  },
  {
    breaks: 'without its audit row there is no answer',
    file: 'packages/gateway/src/calls/call.ts',
    from: '        await audit(edge, asking, operation, { status, ...audited, patient_ids })\n',
    to: '        audit(edge, asking, operation, { status, ...audited, patient_ids }).catch(() => undefined)\n',
    caught: {
      by: 'test/rules/audit-first.test.ts',
      test: 'without its audit row there is no answer: of no operation, no tool, no resource and no file',
    },
  },
  {
    breaks: 'the audit row of a feed that may wait tells no duration',
    file: 'packages/gateway/src/calls/call.ts',
    from: '...(mayWait(operation) ? {} : { duration_ms',
    to: "...(mayWait(operation) && operation.method !== 'GET' ? {} : { duration_ms",
    caught: {
      by: 'test/rules/audit.test.ts',
      test: 'a row tells how long its request took, except of a feed that may wait for new rows',
    },
  },
  {
    breaks: 'no operation runs without its scope',
    file: 'packages/gateway/src/calls/call.ts',
    from: 'const grant = Grant.authorize(asking.principal, operation)',
    to: 'const grant = Grant.authorize(asking.principal, { ...operation, scope: null })',
    caught: { by: 'test/rules/scopes.test.ts' },
  },
  {
    breaks: 'an entered place is always given back',
    file: 'packages/gateway/src/calls/call.ts',
    from: '    } finally {\n      edge.concurrency.leave(id)\n    }',
    to: "    } finally {\n      if (id === '') edge.concurrency.leave(id)\n    }",
    caught: {
      by: 'test/rules/isolation.test.ts',
      test: 'every answer of many interleaved requests of 8 clinics holds only rows of its own clinic',
    },
  },
  {
    breaks: 'a file link is at once worthless when its key is revoked',
    file: 'packages/gateway/src/calls/call.ts',
    from: 'key_id: principal.key_id, file_id: file.file_id',
    to: "key_id: '', file_id: file.file_id",
    caught: { by: 'test/rules/files.test.ts' },
  },
  {
    breaks: 'a request whose audit row was not stored fails',
    file: 'packages/contract/src/port/audit-trail.ts',
    from: '      if (problem !== undefined) throw problem\n',
    to: '',
    caught: {
      by: 'packages/contract/test/audit-trail.test.ts',
      test: 'a group that could not be stored fails only its own requests, with 503',
    },
  },
  {
    breaks: "one clinic's broken place does not keep the rows of others from being stored",
    file: 'packages/contract/src/port/audit-trail.ts',
    from: 'const again = clinics.size === 1 ? () => Promise.reject(error) : this.#store',
    to: 'const again = (_: readonly AuditRow[]) => Promise.reject(error)',
    caught: {
      by: 'packages/contract/test/audit-trail.test.ts',
      test: 'a clinic whose rows cannot be stored gets 503 alone, and the rows of the others are stored',
    },
  },
  {
    breaks: 'a row is not done before it is stored',
    file: 'packages/contract/src/port/audit-trail.ts',
    from: '      const { rows } = group\n',
    to: '      const { rows } = group\n      group.resolve(NONE)\n',
    caught: { by: 'packages/contract/test/audit-trail.test.ts', test: 'a row is not done before it is stored' },
  },
  {
    breaks: 'no group of audit rows is longer than a backend takes',
    file: 'packages/contract/src/port/audit-trail.ts',
    from: 'group.rows.length >= this.#maxGroup',
    to: 'group.rows.length > this.#maxGroup',
    caught: { by: 'packages/contract/test/audit-trail.test.ts', test: 'no group exceeds the limit' },
  },
  {
    breaks: 'at shutdown every audit row is stored first',
    file: 'packages/contract/src/port/audit-trail.ts',
    from: '    await Promise.race([this.#storing, this.#givenUp.promise])\n',
    to: '',
    caught: {
      by: 'packages/contract/test/audit-trail.test.ts',
      test: 'draining ends when every row is stored or has failed',
    },
  },
  {
    breaks: 'a key gets its own limit',
    file: 'packages/gateway/src/calls/edge.ts',
    from: 'principal.rate_limit ?? edge.rate.requests',
    to: 'edge.rate.requests',
    caught: {
      by: 'packages/gateway/test/admission.test.ts',
      test: 'the limit of a key goes before that of the installation',
    },
  },
  {
    breaks: 'two clinics whose keys have the same id do not share a limit',
    file: 'packages/gateway/src/calls/edge.ts',
    from: '{principal.clinic.clinic_id}/',
    to: '{principal.key_id}/',
    caught: {
      by: 'packages/gateway/test/admission.test.ts',
      test: 'two clinics whose keys have the same id do not share a limit',
    },
  },
  {
    breaks: 'a request without the scope counts against the limit',
    file: 'packages/gateway/src/calls/pipeline.ts',
    from: '    await admit(edge, principal, request, reply)\n',
    to: '    if (operation.scope === null || principal.scopes.includes(operation.scope)) await admit(edge, principal, reply)\n',
    caught: {
      by: 'test/rules/limits.test.ts',
      test: 'a request that is refused for its scope counts against the limit',
    },
  },
  {
    breaks: 'a client that disconnected causes no more questions',
    file: 'packages/gateway/src/calls/until-rows.ts',
    from: '    if (signal?.aborted) return answer\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/ended-waits.test.ts',
      test: 'a client that leaves while it waits gets its last answer, and the backend no further question',
    },
  },
  {
    breaks: 'an audit row names the patient of a filter',
    file: 'packages/gateway/src/calls/call.ts',
    from: 'for (const part of [input.query, input.body]) {',
    to: 'for (const part of [input.body]) {',
    caught: {
      by: 'test/rules/audit-patients.test.ts',
      test: 'appointments.list names the patient of its filter, also when the list is empty',
    },
  },
  {
    breaks: 'an audit row names the patient of a refused message',
    file: 'packages/gateway/src/calls/call.ts',
    from: 'for (const part of [input.query, input.body]) {',
    to: 'for (const part of [input.query]) {',
    caught: {
      by: 'test/rules/audit-patients.test.ts',
      test: 'a refused message names the patient to whom it was written',
    },
  },
  {
    breaks: 'an audit row names the patient of the path',
    file: 'packages/gateway/src/calls/call.ts',
    from: 'new Set(patientParameters.flatMap((name) => named[name] || []))',
    to: 'new Set<string>()',
    caught: {
      by: 'test/rules/audit-patients.test.ts',
      test: 'a refusal names who was asked for and why, and the scope that was missing',
    },
  },
  {
    breaks: 'a gateway whose requests cannot be recorded is not ready',
    file: 'packages/contract/src/port/audit-trail.ts',
    from: 'this.#failedAt = rows.every(({ clinic_id }) => failed.has(clinic_id)) ? this.#monotonic() : null',
    to: 'this.#failedAt = null',
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'a gateway whose requests cannot be recorded is not ready, until one is',
    },
  },
  {
    breaks: 'a body that stops half way is the fault of its sender',
    file: 'packages/gateway/src/limits/deadline.ts',
    from: 'if (refuseBody !== null) {',
    to: 'if (refuseBody === undefined) {',
    caught: {
      by: 'test/rules/deadline.test.ts',
      test: 'a body that stops half way is refused at the deadline with 408, and asks nothing of the backend',
    },
  },
]
