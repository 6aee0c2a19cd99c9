// Mutants of the backend: what was begun before a revocation and would be stored after it.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a write checks its key again in its transaction',
    file: 'packages/backend/src/handling/write.ts',
    from: 'work, validOf(grant))',
    to: 'work)',
    caught: {
      by: 'test/revoked-meanwhile.test.ts',
      test: 'a write whose body arrived after the revocation of its key is refused, and stores nothing',
    },
  },
  {
    breaks: 'a write checks the expiry of its key again',
    file: 'packages/surface/src/still-valid.ts',
    from: ' and (expires_at is null or expires_at > ${now()})',
    to: '',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'a write whose key expired since it was let in stores nothing',
    },
  },
  {
    breaks: 'a revocation waits for the writes that it met',
    file: 'packages/administration/src/credentials/credentials.ts',
    from: '  await untilWritesEnd(owner, { clinic_id, id })\n',
    to: '',
    caught: {
      by: 'test/revoked-meanwhile.test.ts',
      test: 'a revocation is answered after the writes that it met',
    },
  },
  {
    breaks: 'a check that fails is never noticed only after the commit',
    file: 'packages/database/src/connections/transaction.ts',
    from: '    if (this.#waiting.some(({ isRequired }) => isRequired)) await this.#flush()\n',
    to: '',
    caught: {
      by: 'packages/database/test/packets.test.ts',
      test: 'a transaction whose check fails stores nothing, also if no statement of it is awaited',
    },
  },
  {
    breaks: 'a batch checks its token again in its transaction',
    file: 'packages/backend/src/intake/intake.ts',
    from: 'work, tokenStillValid(holderOf(principal)))',
    to: 'work)',
    caught: {
      by: 'packages/backend/test/ingest-revoked.test.ts',
      test: 'a batch whose body arrived after the revocation of its token is refused, whichever thread stores it',
    },
  },
  {
    breaks: 'settings and files check their token again',
    file: 'packages/backend/src/intake/runs.ts',
    from: 'const database = onlyWhile(tokenStillValid(holderOf(principal)), parts.database)',
    to: 'const { database } = parts',
    caught: { by: 'packages/backend/test/ingest-revoked.test.ts' },
  },
  {
    breaks: 'a change checks its session again in its transaction',
    file: 'packages/administration/src/routes/session-route.ts',
    from: 'const consoleDatabase = onlyWhile(stillValid, parts.consoleDatabase)',
    to: 'const { consoleDatabase } = parts',
    caught: { by: 'packages/administration/test/ended-meanwhile.test.ts' },
  },
  {
    breaks: 'disabling an administrator waits for the changes that it met',
    file: 'packages/administration/src/administrators.ts',
    from: '  await untilPersonsEnd(owner, disabledEnd(disabling, disabling.now), wait)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/ended-meanwhile.test.ts',
      test: 'disabling an administrator is answered after the changes that it met',
    },
  },
  {
    breaks: 'an administrator writes through the contract only while the session lasts',
    file: 'packages/administration/src/routes/signed-in.ts',
    from: 'await sessionStillValidBeside(consoleDatabase, session, rolesFor(grant.operation))(tx)',
    to: '',
    caught: {
      by: 'packages/administration/test/ended-meanwhile.test.ts',
      test: 'an operation of the contract whose administrator was disabled or got another role since it was let in changes nothing',
    },
  },
  {
    breaks: 'a question is refused whose body came after the revocation of its key',
    file: 'packages/gateway/src/calls/pipeline.ts',
    from: 'if (takesBody(operation.method)) await identifyAgain(edge, request)',
    to: '',
    caught: {
      by: 'test/revoked-meanwhile.test.ts',
      test: 'a question whose body arrived after the revocation of its key was answered gets nothing, over REST and MCP',
    },
  },
  {
    breaks: 'a tool call is refused whose body came after the revocation of its key',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: "    await identifyAgain(edge, request, 'mcp')\n    const plain",
    to: '    const plain',
    caught: {
      by: 'test/revoked-meanwhile.test.ts',
      test: 'a question whose body arrived after the revocation of its key was answered gets nothing, over REST and MCP',
    },
  },
]
