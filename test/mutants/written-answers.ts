// Mutants of rows that a backend writes for a gateway of the same contract.
import type { Mutant } from './mutant.ts'

const REPLY = 'packages/contract/src/port/written-reply.ts'
const WRITER = 'packages/contract/src/port/data-writer.ts'
const BACKEND = 'packages/backend/test/written-answers.test.ts'
const RULE = 'test/rules/recorded-reads.test.ts'
const sameBytes =
  'every read has the bytes that it would have in one process, and the backend has written the rows of lists'

const listsAlone = 'the rows of every list are written, and of no other answer'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'only a gateway of the same contract gets written rows',
    file: 'packages/backend/src/port-listener.ts',
    from: 'headerOf(request, portHeaders.contract) === contractMark()',
    to: 'headerOf(request, portHeaders.contract) !== null',
    caught: { by: BACKEND, test: 'a gateway of another contract, or a call that comes alone, gets the answer as ever' },
  },
  {
    breaks: 'lists alone are written by the backend',
    file: WRITER,
    from: "return shape === 'page' || shape === 'bounded'",
    to: "return shape !== 'none'",
    caught: { by: BACKEND, test: listsAlone },
  },
  {
    breaks: 'the backend writes the form that was asked for',
    file: 'packages/backend/src/port-calls.ts',
    from: "response_format === 'detailed'",
    to: "response_format === 'whole'",
    caught: { by: RULE, test: sameBytes },
  },
  {
    breaks: 'rows without the form of the contract are left to the gateway',
    file: REPLY,
    from: '} catch {\n      return null',
    to: "} catch {\n    return { status: 200, text, rows: '[]' }",
    caught: { by: BACKEND, test: 'an answer that lacks a promised field, and a refusal, are sent as ever' },
  },
  {
    breaks: 'the audit log learns whom written rows name',
    file: REPLY,
    from: 'answer.recorded ? undefined : auditedIn(operation, answer)',
    to: 'answer.recorded ? undefined : { resource_ids: [], patient_ids: [], count: 0 }',
    caught: { by: BACKEND, test: 'beside the data stands what the audit log names of it, unless the row is stored' },
  },
  {
    breaks: 'written rows that no audit row could name do not leave',
    file: 'packages/contract/src/port/audited.ts',
    from: "if (audited === undefined) throw new Error('the backend tells nothing of the rows that it has written')",
    to: 'if (audited === undefined) return { resource_ids: [], patient_ids: [], count: 0 }',
    caught: {
      by: 'packages/gateway/test/answer-bounds.test.ts',
      test: 'written rows of which the backend tells nothing for the audit log are no answer',
    },
  },
  {
    breaks: 'only a list comes written',
    file: 'packages/contract/src/port/port-answer.ts',
    from: "if (!mayBeWritten(operation)) throw unusable(reply, 'rows beside an answer that is no list')",
    to: '',
    caught: { by: BACKEND, test: 'rows beside an answer that is no list are no answer' },
  },
]
