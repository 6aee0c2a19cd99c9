// Mutants of the backend: keys, ingest tokens, files.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a key opens nothing from the instant of its expiry on',
    file: 'packages/backend/src/authentication.ts',
    from: 'untilOf(key.expires_at)\n    if (expires_at <= at.getTime()) return null',
    to: 'untilOf(key.expires_at)\n    if (expires_at < at.getTime()) return null',
    caught: { by: 'packages/administration/test/keys.test.ts', test: 'a key opens nothing from its expiry on' },
  },
  {
    breaks: 'a revoked key opens nothing',
    file: 'packages/backend/src/authentication.ts',
    from: 'if (key.refused_at !== null) return refuseEnded(key, at)',
    to: '',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'a revocation is committed before the wait for cached answers, and is final',
    },
  },
  {
    breaks: 'the last use of a key is recorded once a minute',
    file: 'packages/backend/src/authentication.ts',
    from: 'const LAST_USED_MS = 60_000',
    to: 'const LAST_USED_MS = 59_000',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'the last use of a key is recorded at most once a minute',
    },
  },
  {
    breaks: 'a text that is no hash is never looked up',
    file: 'packages/backend/src/authentication.ts',
    from: 'if (!HASH.test(hash)) return null',
    to: '',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'no other hash opens a clinic, not even a malformed one',
    },
  },
  {
    breaks: 'the time of a revocation is final',
    file: 'packages/administration/src/credentials/credentials.ts',
    from: 'revoked_at = coalesce(revoked_at, ${now})',
    to: 'revoked_at = ${now}',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'a revocation is committed before the wait for cached answers, and is final',
    },
  },
  {
    breaks: 'a revocation is acknowledged when no cached answer lets the key in any more',
    file: 'packages/administration/src/credentials/keys.ts',
    from: '  await wait(KEY_CACHE_MS)\n',
    to: '  await wait(KEY_CACHE_MS / 2)\n',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'a revocation is committed before the wait for cached answers, and is final',
    },
  },
  {
    breaks: 'a revocation is committed before the wait for cached answers',
    file: 'packages/administration/src/credentials/keys.ts',
    from: '  const revoked = await revokeCredential(',
    to: '  await wait(KEY_CACHE_MS)\n  const revoked = await revokeCredential(',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'a revocation is committed before the wait for cached answers, and is final',
    },
  },
  {
    breaks: 'the console answers a revocation when no cached answer lets the key in any more',
    file: 'packages/administration/src/pages/console-keys.ts',
    from: 'await revokeKey(consoleDatabase, { clinic_id, id, now }, wait, beside)',
    to: 'await revokeKey(consoleDatabase, { clinic_id, id, now }, async () => undefined, beside)',
    caught: {
      by: 'packages/administration/test/console-keys.test.ts',
      test: 'a revocation is answered when no gateway lets the key in any more',
    },
  },
  {
    breaks: 'no part of a key that could be guessed from is stored',
    file: 'packages/administration/src/credentials/credentials.ts',
    from: '${secret.slice(-LAST_CHARACTERS)}',
    to: '${secret.slice(FIRST_CHARACTERS)}',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'a minted key opens its clinic with its scopes, and its plaintext is stored nowhere',
    },
  },
  {
    breaks: 'a key that expires at once is not minted',
    file: 'packages/administration/src/credentials/keys.ts',
    from: '!(expires_at > now)) refuse',
    to: '!(expires_at >= now)) refuse',
    caught: { by: 'packages/administration/test/keys.test.ts', test: 'a key that no clinic could use is not minted' },
  },
  {
    breaks: 'a key without a single allowed request is not minted',
    file: 'packages/administration/src/credentials/keys.ts',
    from: 'Number(rate_limit) >= 1 &&',
    to: 'Number(rate_limit) >= 0 &&',
    caught: { by: 'packages/administration/test/keys.test.ts', test: 'a key that no clinic could use is not minted' },
  },
  {
    breaks: 'a key holds no scope that does not exist',
    file: 'packages/administration/src/credentials/keys.ts',
    from: 'if (unknown.length > 0) refuse',
    to: 'if (unknown.length > 1) refuse',
    caught: { by: 'packages/administration/test/keys.test.ts', test: 'a key that no clinic could use is not minted' },
  },
  {
    breaks: 'a demo key that was revoked or has expired is told from a usable one',
    file: 'packages/administration/src/credentials/keys.ts',
    from: ' and revoked_at is null and stopped_at is null and (expires_at is null or expires_at > ${now})`\n',
    to: '`\n',
    caught: {
      by: 'packages/administration/test/keys.test.ts',
      test: 'a key is usable in its own clinic alone, until it expires or is revoked',
    },
  },
  {
    breaks: 'one request mints one key',
    file: 'packages/administration/src/credentials/credentials.ts',
    from: '${made_by}, ${mint_request}, ${values})',
    to: '${made_by}, ${null}, ${values})',
    caught: {
      by: 'packages/administration/test/console-keys.test.ts',
      test: 'one Idempotency-Key mints one key, also at the same moment',
    },
  },
  {
    breaks: 'a revoked ingest token opens nothing',
    file: 'packages/administration/src/credentials/ingest-tokens.ts',
    from: 'where key_hash = ${hash} and revoked_at is null`',
    to: 'where key_hash = ${hash}`',
    caught: {
      by: 'packages/administration/test/console-clinic.test.ts',
      test: 'a revoked token is refused from the answer on, and revoking again changes nothing',
    },
  },
  {
    breaks: 'one request mints one ingest token',
    file: 'packages/administration/src/credentials/ingest-tokens.ts',
    from: '      made_by,\n      mint_request,\n',
    to: '      made_by,\n      mint_request: null,\n',
    caught: {
      by: 'packages/administration/test/console-clinic.test.ts',
      test: 'a token is minted once a request, shown once, opens the ingest API, and stands in the audit log',
    },
  },
  {
    breaks: 'a link to a file ends with its key',
    file: 'packages/records/src/file-bytes.ts',
    from: 'k.expires_at is null or k.expires_at > ${now}',
    to: 'true',
    caught: {
      by: 'packages/backend/test/files.test.ts',
      test: 'a link opens only its own clinic’s file, and only while its key is valid',
    },
  },
  {
    breaks: 'a link to a file ends when its key is revoked',
    file: 'packages/records/src/file-bytes.ts',
    from: 'select k.refused_at is null and (',
    to: 'select (',
    caught: {
      by: 'packages/backend/test/files.test.ts',
      test: 'a link opens only its own clinic’s file, and only while its key is valid',
    },
  },
  {
    breaks: 'a range never reads beyond the end of a file',
    file: 'packages/records/src/file-bytes.ts',
    from: 'Math.min(last ?? end, end)',
    to: 'last ?? end',
    caught: {
      by: 'packages/backend/test/files.test.ts',
      test: 'an empty file is whole without a byte and has no range',
    },
  },
  {
    breaks: 'the last bytes of a file are at most the whole file',
    file: 'packages/records/src/file-bytes.ts',
    from: 'Math.max(0, size_bytes - (last ?? 0))',
    to: 'size_bytes - (last ?? 0)',
    caught: { by: 'packages/backend/test/files.test.ts', test: 'a stored file is read back, whole and in any range' },
  },
  {
    breaks: 'a file over the limit is refused',
    file: 'packages/records/src/file-bytes.ts',
    from: 'if (size_bytes > MAX.file) throw',
    to: 'if (chunk.length > MAX.file) throw',
    caught: {
      by: 'packages/backend/test/files.test.ts',
      test: 'a file over the limit is refused, and nothing of it stays',
    },
  },
  {
    breaks: 'an upload that does not announce its size is refused above the bound',
    file: 'packages/backend/src/ingest/files.ts',
    from: 'if (size > MAX.file) throw tooLarge()',
    to: 'if (size > 2 * MAX.file) throw tooLarge()',
    caught: {
      by: 'packages/backend/test/ingest-files.test.ts',
      test: 'a file above the bound is refused by its announced size, and by its real one',
    },
  },
  {
    breaks: 'an upload that is announced above the bound is refused before its bytes',
    file: 'packages/backend/src/ingest/files.ts',
    from: "if (Number(headers['content-length'] ?? 0) > MAX.file) throw",
    to: "if (Number(headers['content-length'] ?? 0) > 2 * MAX.file) throw",
    caught: {
      by: 'packages/backend/test/ingest-files.test.ts',
      test: 'a file above the bound is refused by its announced size, and by its real one',
    },
  },
  {
    breaks: 'a file that loses its bytes breaks the stream instead of ending it short',
    file: 'packages/records/src/file-bytes.ts',
    from: 'if (bytes === undefined || bytes.length === 0) throw new Error(`piece ${position} of a file is missing`)',
    to: 'if (bytes === undefined || bytes.length === 0) return',
    caught: {
      by: 'packages/backend/test/files.test.ts',
      test: 'a file that loses its bytes while it is read breaks the stream instead of ending it short',
    },
  },
  {
    breaks: 'the pieces of a file lie in their order',
    file: 'packages/records/src/file-bytes.ts',
    from: '${this.#pieces + at}, ${piece}',
    to: '${this.#pieces + group.length - 1 - at}, ${piece}',
    caught: { by: 'packages/backend/test/files.test.ts', test: 'a stored file is read back, whole and in any range' },
  },
  {
    breaks: 'a file that an accounting document refers to is never removed as unused',
    file: 'packages/backend/src/unused-files.ts',
    from: '\n      union all select file_id from payment_document\n        where clinic_id = ${clinic_id} and file_id = any(${ids}::text[])',
    to: '',
    caught: {
      by: 'packages/backend/test/ingest-files.test.ts',
      test: 'an unused file is removed after a day, and a used one never',
    },
  },
  {
    breaks: 'an unused file waits a whole day for its call',
    file: 'packages/backend/src/unused-files.ts',
    from: 'const KEPT_HOURS = 24',
    to: 'const KEPT_HOURS = 23',
    caught: {
      by: 'packages/backend/test/ingest-files.test.ts',
      test: 'an unused file is removed after a day, and a used one never',
    },
  },
  {
    breaks: 'the age of an upload is when it was stored, not the time it bears',
    file: 'packages/backend/src/unused-files.ts',
    from: 'and stored_at < now() -',
    to: 'and created_at < now() -',
    caught: {
      by: 'packages/backend/test/ingest-files.test.ts',
      test: 'a file of long ago waits a day for its call like a new one',
    },
  },
  {
    breaks: 'all pages of unused files are looked at',
    file: 'packages/backend/src/unused-files.ts',
    from: '    after = last\n',
    to: '    return removed\n',
    caught: {
      by: 'packages/backend/test/ingest-files.test.ts',
      test: 'more files than one statement checks are all checked',
    },
  },
  {
    breaks: 'a name holds nothing that a reader does not see',
    file: 'packages/contract/src/values/given-name.ts',
    from: 'return visibleText(name) === name',
    to: 'return true',
    caught: {
      by: 'packages/administration/test/given-names.test.ts',
      test: 'the operator is refused the same names',
    },
  },
]
