// Mutants of the codes and tokens of connected apps.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the verifier of a code is the one whose hash was its challenge',
    file: 'packages/connect/src/tokens/exchange-code.ts',
    from: 'return made.length === kept.length && timingSafeEqual(made, kept)',
    to: 'return made.length === kept.length',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'another verifier, redirect, resource or app gets nothing for a code, and leaves it as it is',
    },
  },
  {
    breaks: 'a used token that comes back while its connection is stopped ends that',
    file: 'packages/connect/src/tokens/exchange.ts',
    from: 'if (!isUsable && !isStopped) throw invalidGrant()',
    to: 'void isStopped\n  if (!isUsable) throw invalidGrant()',
    caught: {
      by: 'packages/connect/test/reused-while-stopped.test.ts',
      test: 'a used refresh that comes back while its connection is stopped ends that, on record once, also for when Stop is undone',
    },
  },
  {
    breaks: 'a code opens nothing a second time',
    file: 'packages/connect/src/tokens/exchange-code.ts',
    from: 'isReused: ({ usedAt }) => usedAt !== null',
    to: 'isReused: () => false',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a code opens nothing a second time, and ends what it opened',
    },
  },
  {
    breaks: 'a code or token that comes back ends its connection',
    file: 'packages/connect/src/tokens/exchange.ts',
    from: "await endWithin(tx, { clinic_id, which: sql`id = ${id}`, reason: 'reused', now })",
    to: '',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a refresh token that comes back after the grace ends the connection',
    },
  },
  {
    breaks: 'another app gets nothing for a code',
    file: 'packages/connect/src/tokens/exchange.ts',
    from: 'stored === null || connection.app_id !== call.app.id',
    to: 'stored === null',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'another verifier, redirect, resource or app gets nothing for a code, and leaves it as it is',
    },
  },
  {
    breaks: 'a code is exchanged with the redirect address of its request',
    file: 'packages/connect/src/tokens/exchange-code.ts',
    from: 'if (sent.redirect_uri !== undefined && sent.redirect_uri !== stored.redirectUri) throw invalidGrant()',
    to: '',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'another verifier, redirect, resource or app gets nothing for a code, and leaves it as it is',
    },
  },
  {
    breaks: 'a code is exchanged for the resource of its request',
    file: 'packages/connect/src/tokens/exchange-code.ts',
    from: 'if (resource !== undefined && readResource',
    to: 'if (resource === "" && readResource',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'another verifier, redirect, resource or app gets nothing for a code, and leaves it as it is',
    },
  },
  {
    breaks: 'a code that has expired opens nothing',
    file: 'packages/connect/src/tokens/exchange-code.ts',
    from: 'if (isOver(stored, now)) throw invalidGrant()',
    to: '',
    caught: { by: 'packages/connect/test/tokens.test.ts', test: 'a code is good for a minute' },
  },
  {
    breaks: 'a code is good for a minute',
    file: 'packages/connect/src/tokens/lifetimes.ts',
    from: 'export const CODE_MS = MINUTE_MS',
    to: 'export const CODE_MS = 2 * MINUTE_MS',
    caught: { by: 'packages/connect/test/tokens.test.ts', test: 'a code is good for a minute' },
  },
  {
    breaks: 'a used refresh token is answered for a minute',
    file: 'packages/connect/src/tokens/lifetimes.ts',
    from: 'export const GRACE_MS = MINUTE_MS',
    to: 'export const GRACE_MS = 10 * MINUTE_MS',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a refresh token that comes back after the grace ends the connection',
    },
  },
  {
    breaks: 'a refresh token that comes back later is known as a copy',
    file: 'packages/connect/src/tokens/refresh.ts',
    from: 'isReused: isUsedLongAgo',
    to: 'isReused: () => false',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a refresh token that comes back after the grace ends the connection',
    },
  },
  {
    breaks: 'a refresh token is used up by its use',
    file: 'packages/connect/src/tokens/refresh.ts',
    from: 'set used_at = coalesce(used_at, ${now})',
    to: 'set used_at = null',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a refresh token that comes back after the grace ends the connection',
    },
  },
  {
    breaks: 'another app revokes nothing',
    file: 'packages/connect/src/tokens/revoke.ts',
    from: 'connection === null || connection.app_id !== call.app.id',
    to: 'connection === null',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'another app neither refreshes nor revokes a token, and ends nothing by it',
    },
  },
  {
    breaks: 'an access token that an app gives back is gone',
    file: 'packages/connect/src/tokens/revoke.ts',
    from: "['refresh', 'access']",
    to: "['refresh']",
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'an app that gives back an access token loses it, and with a refresh token its connection',
    },
  },
  {
    breaks: 'uses of one code at once are in turn',
    file: 'packages/connect/src/tokens/exchange.ts',
    from: '    lockInTurn(tx, clinic_id, [id])\n',
    to: '',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a code that comes ten times at once is answered once, and then its tokens are ended',
    },
  },
  {
    breaks: 'no app gets tokens of a clinic that was closed',
    file: 'packages/connect/src/tokens/connection-state.ts',
    from: ' and clinic.closed_at is null',
    to: '',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'nobody gets tokens once the person or the app is disabled, or the clinic closed',
    },
  },
  {
    breaks: 'a connection ends everywhere before whoever ends it is answered',
    file: 'packages/connect/src/tokens/end-connection.ts',
    from: '  await (wait ?? delay)(KEY_CACHE_MS)\n',
    to: '',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a code opens nothing a second time, and ends what it opened',
    },
  },
  {
    breaks: 'a token knows the place where it is good',
    file: 'packages/backend/src/authentication.ts',
    from: '...(audience !== null && { audience })',
    to: '',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a token for the MCP server names it, and a token ends with its hour or its connection',
    },
  },
  {
    breaks: 'an access token is good for an hour',
    file: 'packages/connect/src/tokens/lifetimes.ts',
    from: 'export const ACCESS_MS = 60 * MINUTE_MS',
    to: 'export const ACCESS_MS = 120 * MINUTE_MS',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a token for the MCP server names it, and a token ends with its hour or its connection',
    },
  },
  {
    breaks: 'a code or refresh token opens no request',
    file: 'packages/backend/src/authentication.ts',
    from: "where token_hash = ${hash} and kind = 'access'",
    to: 'where token_hash = ${hash}',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a code becomes tokens that open the clinic of the person, with the allowed scopes and no more',
    },
  },
  {
    breaks: 'a token of an ended connection opens nothing',
    file: 'packages/backend/src/authentication.ts',
    from: 'coalesce(k.revoked_at, k.stopped_at) as refused_at',
    to: 'k.stopped_at as refused_at',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a code opens nothing a second time, and ends what it opened',
    },
  },
  {
    breaks: 'no clinic sees the connections of another one',
    file: 'packages/backend/migrations/0050_connections.sql',
    from: "select protect_clinic_table('connection');\n",
    to: '',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'no code or token stands in a row, and no session of another clinic sees one',
    },
  },
  {
    breaks: 'no clinic sees the tokens of another one',
    file: 'packages/backend/migrations/0050_connections.sql',
    from: "using (clinic_id = current_setting('app.clinic_id', true) or token_hash = current_setting('app.key_hash', true))",
    to: 'using (true)',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'no code or token stands in a row, and no session of another clinic sees one',
    },
  },
  {
    breaks: 'whether a connection has ended is read once it is locked',
    file: 'packages/connect/src/tokens/exchange.ts',
    from: `    lockInTurn(tx, clinic_id, [id])
    const token = sendStoredToken(tx, clinic_id, token_hash)
    const connection = await lockedConnection(tx, place, now)`,
    to: `    const token = sendStoredToken(tx, clinic_id, token_hash)
    const connection = await lockedConnection(tx, place, now)
    lockInTurn(tx, clinic_id, [id])
    await tx.query(sql\`select\`)`,
    caught: {
      by: 'packages/connect/test/ended-meanwhile.test.ts',
      test: 'of a token that is renewed while its connection ends no token is left, whoever comes first',
    },
  },
  {
    breaks: 'an app learns that its connection is stopped, and not that it has ended',
    file: 'packages/connect/src/tokens/exchange.ts',
    from: '    if (connection.isStopped) throw stoppedForNow()\n',
    to: '',
    caught: {
      by: 'packages/administration/test/stopping.test.ts',
      test: 'a code and a refresh token of a stopped connection are refused, are not used up, and are good again after it',
    },
  },
]
