// Mutants of the tools that write: off unless wanted, only with a scope and a yes, and once.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'no tool writes unless the operator wants it',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: 'allowedOrigins = [], writes = false,',
    to: 'allowedOrigins = [], writes = true,',
    caught: {
      by: 'test/mcp/writing-tools.test.ts',
      test: 'where nobody has turned them on there is no tool that writes, and lists, sessions and pages are as before',
    },
  },
  {
    breaks: 'a confirmation fits one call alone',
    file: 'packages/gateway/src/mcp/confirmations.ts',
    from: "if (sealedWay !== way || isNewSince) throw refused('confirmation'",
    to: "if (confirmation === '') throw refused('confirmation'",
    caught: {
      by: 'test/mcp/writing-tools.test.ts',
      test: 'payments_create takes a confirmation for exactly its key, its clinic, its arguments and ten minutes',
    },
  },
  {
    breaks: 'a confirmation fits one key alone',
    file: 'packages/gateway/src/mcp/confirmations.ts',
    from: '    key_id: principal.key_id,',
    to: '    key_id: principal.clinic.clinic_id,',
    caught: {
      by: 'test/mcp/writing-tools.test.ts',
      test: 'leads_create takes a confirmation for exactly its key, its clinic, its arguments and ten minutes',
    },
  },
  {
    breaks: 'what a person declines is not written',
    file: 'packages/gateway/src/mcp/writing-tools.ts',
    from: "if (way === 'person' && proof !== null && !hasAgreed(mcpReq)) throw declined()",
    to: '',
    caught: {
      by: 'test/mcp/confirming-person.test.ts',
      test: 'a client that can ask its person is told to, and only the yes of the person writes',
    },
  },
  {
    breaks: 'a name is shown to whoever may read it',
    file: 'packages/gateway/src/mcp/shown-write.ts',
    from: 'if (reader.scope !== null && !grant.may(reader.scope))',
    to: 'if (reader.scope === null)',
    caught: {
      by: 'test/mcp/writing-tools.test.ts',
      test: 'what would be written is shown with the name of its patient to a key that may read patients, and to no other',
    },
  },
  {
    breaks: 'a person is asked only about a write that is not refused',
    file: 'packages/gateway/src/mcp/writing-tools.ts',
    from: 'const rehearsed = await rehearse(input)',
    to: 'const rehearsed = proof === null ? null : await rehearse(input)',
    caught: {
      by: 'test/mcp/foreseen-refusals.test.ts',
      test: 'a message is shown with the way in which it goes out, and a yes to that is none to another',
    },
  },
  {
    breaks: 'a yes to free text is none to a template',
    file: 'packages/gateway/src/mcp/confirmations.ts',
    from: '    effect,\n  })',
    to: '    effect: effect.slice(0, 0),\n  })',
    caught: {
      by: 'test/mcp/foreseen-refusals.test.ts',
      test: 'a message is shown with the way in which it goes out, and a yes to that is none to another',
    },
  },
  {
    breaks: 'a rehearsal keeps nothing',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: 'if (isRehearsal) throw await rehearsed(tx, changed.answer)',
    to: 'if (isRehearsal) await rehearsed(tx, changed.answer)',
    caught: {
      by: 'packages/backend/test/rehearsals.test.ts',
      test: 'a rehearsal of payments.create answers as the write does, and keeps nothing of it',
    },
  },
  {
    breaks: 'every tool that writes is rehearsed',
    file: 'packages/contract/src/names.ts',
    from: 'readonly OperationId[] = Object.values(writeToolNames)',
    to: 'readonly OperationId[] = Object.values(writeToolNames).slice(1)',
    caught: { by: 'test/mcp/foreseen-refusals.test.ts', test: 'every tool that writes has its rehearsal' },
  },
  {
    breaks: 'a repeat is shown as one',
    file: 'packages/gateway/src/mcp/shown-write.ts',
    from: 'if (isReplay(rehearsed)) return REPEATED',
    to: '',
    caught: {
      by: 'test/mcp/known-writes.test.ts',
      test: 'leads_create says of a repeated idempotency_key that its write is done, and answers it again',
    },
  },
  {
    breaks: 'a yes to nothing new is none to a new record',
    file: 'packages/gateway/src/mcp/confirmations.ts',
    from: "known === KNOWN && shown.known === ''",
    to: 'known === KNOWN && shown.known === KNOWN',
    caught: { by: 'test/mcp/known-writes.test.ts', test: 'a yes to nothing new is none to a new record' },
  },
]
