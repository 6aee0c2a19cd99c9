// Mutants of the backend: the ingest API.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a burst of one token asks the database once a turn',
    file: 'packages/backend/src/intake/token-look-ups.ts',
    from: '    asking.set(token, lookUp)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/token-look-ups.test.ts',
      test: 'requests of one turn with the same token share a look-up, and each token has its own',
    },
  },
  {
    breaks: 'no request shares the look-up of a token that left before it came',
    file: 'packages/backend/src/intake/token-look-ups.ts',
    from: '    asking.delete(token)\n    return find(token)\n',
    to: '    return find(token).finally(() => asking.delete(token))\n',
    caught: {
      by: 'packages/backend/test/token-look-ups.test.ts',
      test: 'a request that comes after a look-up has left asks again: the token may be revoked by now',
    },
  },
  {
    breaks: 'a record’s id can stand in a path',
    file: 'packages/contract/src/input/formats.ts',
    from: "accepts: (text) => text !== '.' && text !== '..'",
    to: "accepts: (text) => text !== '.'",
    caught: {
      by: 'packages/backend/test/ingest-rules.test.ts',
      test: 'no operation stores a record with the id `.` or `..`, which clients fold away in a path',
    },
  },
  {
    breaks: 'an audit row of a large batch names a hundred ids and counts all',
    file: 'packages/backend/src/intake/admission.ts',
    from: 'count: ids.length',
    to: 'count: ids.slice(0, AUDITED_IDS).length',
    caught: {
      by: 'packages/backend/test/ingest-audit.test.ts',
      test: 'the row of a large batch names a hundred ids and counts all',
    },
  },
  {
    breaks: 'a token’s requests are limited for each token',
    file: 'packages/backend/src/intake/admission.ts',
    from: 'rate.take(`${clinic.clinic_id} ${token_id}`',
    to: 'rate.take(`${clinic.clinic_id}`',
    caught: {
      by: 'packages/server/test/ingest-rate.test.ts',
      test: 'a token at its rate limit learns when to retry, and another token is not limited',
    },
  },
  {
    breaks: 'a refused request to the ingest API leaves an audit row',
    file: 'packages/backend/src/intake/ingest-routes.ts',
    from: '      await record({ status, problem, ids: [], patient_ids: [] })\n',
    to: '',
    caught: {
      by: 'packages/backend/test/ingest-audit.test.ts',
      test: 'a request to any other operation leaves a row too',
    },
  },
  {
    breaks: 'the audit row of an ingest request tells the status of its refusal',
    file: 'packages/backend/src/intake/ingest-routes.ts',
    from: 'await record({ status, problem, ids: [], patient_ids: [] })',
    to: 'await record({ status: 200, problem, ids: [], patient_ids: [] })',
    caught: {
      by: 'packages/backend/test/ingest-audit.test.ts',
      test: 'a request to any other operation leaves a row too',
    },
  },
  {
    breaks: 'a failure gives its place to the next',
    file: 'packages/surface/src/waiting-line.ts',
    from: '    try {\n      return await work()\n    } finally {\n      this.#line.leave(clinic_id)\n    }',
    to: '    const done = await work()\n    this.#line.leave(clinic_id)\n    return done',
    caught: {
      by: 'packages/surface/test/waiting-line.test.ts',
      test: 'no more than the limit run at once, and the others follow in order, even after a failure',
    },
  },
  {
    breaks: 'no clinic has all places',
    file: 'packages/surface/src/waiting-line.ts',
    from: 'new FairLine(atOnce, () => share)',
    to: 'new FairLine(atOnce, () => atOnce)',
    caught: {
      by: 'packages/surface/test/waiting-line.test.ts',
      test: 'a clinic that fills the line leaves a turn to others at once, and they take turns with it',
    },
  },
  {
    breaks: 'a sender that keeps the pace is read to the end',
    file: 'packages/surface/src/arriving-bytes.ts',
    from: 'if (came >= pace.bytes) [came, left] = [0, pace.withinMs]',
    to: '',
    caught: {
      by: 'packages/surface/test/arriving-bytes.test.ts',
      test: 'a sender that keeps the pace is read to the end, however long it takes',
    },
  },
  {
    breaks: 'a batch names the patients of its events',
    file: 'packages/backend/src/intake/batch-patients.ts',
    from: 'const reported = changes.flatMap(({ type, data }) => patientsOfEvent(type, JSON.parse(data)))',
    to: 'const reported: string[] = []',
    caught: {
      by: 'test/rules/events.test.ts',
      test: "appointment.cancelled is fired by the change that the specification names, and its data equals REST's answer",
    },
  },
  {
    breaks: 'the row of a batch is stored before the batch',
    file: 'packages/backend/src/intake/intake.ts',
    from: 'await audit(parts, asking, { status: 200, ids: outcomes.map(({ id }) => id), patient_ids })',
    to: 'audit(parts, asking, { status: 200, ids: outcomes.map(({ id }) => id), patient_ids }).catch(() => undefined)',
    caught: { by: 'packages/backend/test/ingest-audit.test.ts' },
  },
  {
    breaks: 'the row of WhatsApp’s reports is stored before them',
    file: 'packages/changes/src/store-reports.ts',
    from: '    await record({ ids:',
    to: '    record({ ids:',
    caught: { by: 'packages/backend/test/chat-whatsapp.test.ts' },
  },
]
