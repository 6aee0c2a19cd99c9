// Mutants of reads that the backend records with their answers.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a backend records no read unless it says that it does',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: "if (call.record === undefined || !this.#recordsReads || !('whole' in read))",
    to: "if (call.record === undefined || !('whole' in read))",
    caught: {
      by: 'packages/gateway/test/recorded-reads.test.ts',
      test: 'a backend that does not say that it records reads is not asked to, and its answer says nothing of it',
    },
  },
  {
    breaks: 'a backend of before is asked without a record',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'return recorded === NOT_TAKEN ? this.#ask(call, read) : recorded',
    to: 'if (recorded === NOT_TAKEN) throw notAsked()\n    return recorded',
    caught: {
      by: 'packages/gateway/test/recorded-reads.test.ts',
      test: 'a backend that an earlier version has replaced is asked again without the record',
    },
  },
  {
    breaks: 'the gateway stores the row of an answer that does not say that it is stored',
    file: 'packages/gateway/src/calls/call.ts',
    from: 'if (isRecording && answer.recorded) return',
    to: 'if (isRecording) return',
    caught: {
      by: 'test/rules/recorded-reads.test.ts',
      test: 'a read that the backend cannot record is not answered',
    },
  },
  {
    breaks: 'a feed that waits is recorded once',
    file: 'packages/gateway/src/calls/call.ts',
    from: "surface === 'rest' && !query.wait",
    to: "surface === 'rest'",
    caught: {
      by: 'test/rules/recorded-reads.test.ts',
      test: 'a read that waits for events has one row for all its looks',
    },
  },
  {
    breaks: 'a read is answered once its row is stored',
    file: 'packages/backend/src/port-calls.ts',
    from: 'const isRecorded = await trail',
    to: 'const isRecorded = void trail',
    caught: {
      by: 'packages/backend/test/recorded-reads.test.ts',
      test: 'a read is answered once its row is stored, which names what the answer holds',
    },
  },
  {
    breaks: 'an answer whose row could not be stored does not say that it is',
    file: 'packages/backend/src/port-calls.ts',
    from: '() => false,\n      )',
    to: '() => true,\n      )',
    caught: {
      by: 'packages/backend/test/recorded-reads.test.ts',
      test: 'a read without a record, and one whose row could not be stored, do not say that they are recorded',
    },
  },
  {
    breaks: 'no write is recorded with its answer',
    file: 'packages/backend/src/port-calls.ts',
    from: "if (record !== undefined && operation.effect !== 'none')",
    to: 'if (record === null)',
    caught: {
      by: 'packages/backend/test/recorded-reads.test.ts',
      test: 'a write is not recorded with its answer, and a record of another form is refused',
    },
  },
  {
    breaks: 'a row names the patients whom the request names, too',
    file: 'packages/backend/src/recorded-reads.ts',
    from: 'patient_ids: [...new Set([...record.patient_ids, ...patient_ids])],',
    to: 'patient_ids,',
    caught: {
      by: 'test/rules/recorded-reads.test.ts',
      test: 'an empty list names the patient whom the request names, in the path or in its query',
    },
  },
]
