// Mutants of a clinic that leaves: its archive and its deletion.
import type { Mutant } from './mutant.ts'

const BY = 'packages/operator/test/clinics-leaving.test.ts'
const BY_CLOSING = 'packages/operator/test/clinics-closing.test.ts'
const ARCHIVE = 'an archive holds every row and every byte of a clinic, no secret, and nothing of another'
const DELETED = 'a clinic is deleted only when it is named twice, and then whole: its ways in, its rows, nothing else'
const EXPORT = 'packages/backend/src/offboarding/export-clinic.ts'
const CLOSING = 'packages/backend/src/offboarding/close-clinic.ts'
const MEANWHILE =
  'what was being made when a clinic was closed ends with it: a key, a webhook, an account, an attempt to deliver'
const AGAIN = 'closing a clinic again waits for what the first call, which was killed, was waiting for'
const CLOSED = 'a closed clinic is opened by no key and no token that is there all the same, and takes no report'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an archive holds no hash of a token',
    file: 'packages/backend/src/clinic-tables.ts',
    from: "ingest_token: { secret: ['key_hash', 'mint_request']",
    to: "ingest_token: { secret: ['mint_request']",
    caught: {
      by: BY,
      test: 'every table says what becomes of its rows, and every column with a secret is left out of the archive',
    },
  },
  {
    breaks: 'an archive goes on behind the last row of a part',
    file: EXPORT,
    from: '    after = rows.at(-1)?.key ?? null\n',
    to: '    return\n',
    caught: { by: BY, test: ARCHIVE },
  },
  {
    breaks: 'the export of a patient is on record',
    file: EXPORT,
    from: "      if (table === 'patient') await audit(part.map(({ key }) => key[0] ?? ''))\n",
    to: "      if (table === 'patient') await audit(part.slice(1).map(({ key }) => key[0] ?? ''))\n",
    caught: { by: BY, test: ARCHIVE },
  },
  {
    breaks: 'a clinic without its archive is not deleted before the archive is written',
    file: 'packages/operator/src/commands/clinics/clinics-delete.ts',
    from: 'if (destination !== null) written =',
    to: 'if (destination === undefined) written =',
    caught: { by: BY, test: DELETED },
  },
  {
    breaks: 'the tokens of a clinic that leaves are revoked',
    file: CLOSING,
    from: '  await tx.query(sql`update ingest_token set revoked_at = ${now} where clinic_id = ${clinic_id} and revoked_at is null`)\n',
    to: '',
    caught: { by: BY, test: DELETED },
  },
  {
    breaks: 'what was being made when a clinic was closed ends with it',
    file: CLOSING,
    from: '      quiet.add(id)\n    }\n',
    to: '      quiet.add(id)\n    }\n    break\n',
    caught: { by: BY_CLOSING, test: MEANWHILE },
  },
  {
    breaks: 'closing a clinic again waits for those who ended before',
    file: CLOSING,
    from: 'select id from api_key where clinic_id = ${clinic_id}\n',
    to: 'select id from api_key where clinic_id = ${clinic_id} and revoked_at = ${now}\n',
    caught: { by: BY_CLOSING, test: AGAIN },
  },
  {
    breaks: 'no attempt to deliver begins after a clinic was closed',
    file: CLOSING,
    from: '  await failDisabled(tx, sql`d.clinic_id = ${clinic_id}`)\n',
    to: '',
    caught: { by: BY_CLOSING, test: MEANWHILE },
  },
  {
    breaks: 'no key opens a closed clinic',
    file: 'packages/backend/src/authentication.ts',
    from: 'where clinic_id = ${key.clinic_id} and closed_at is null',
    to: 'where clinic_id = ${key.clinic_id}',
    caught: { by: BY_CLOSING, test: CLOSED },
  },
  {
    breaks: 'a request cannot close its clinic',
    file: 'packages/backend/migrations/0047_clinic_columns.sql',
    from: 'messaging_account_hash, messaging_phone) on clinic',
    to: 'messaging_account_hash, messaging_phone, closed_at) on clinic',
    caught: {
      by: 'packages/backend/test/logins.test.ts',
      test: 'a request can mint no key or token, write no audit row or seal, close no clinic, and end no day, of its own clinic or another',
    },
  },
  {
    breaks: 'a closed clinic takes no report of the messaging platform',
    file: 'packages/surface/src/still-valid.ts',
    from: 'from clinic where clinic_id = ${clinic_id} and closed_at is null`',
    to: 'from clinic where clinic_id = ${clinic_id}`',
    caught: { by: BY_CLOSING, test: CLOSED },
  },
  {
    breaks: 'a payment that others refund is deleted after them',
    file: 'packages/backend/src/clinic-tables.ts',
    from: 'payment: { first: sql`refunded_payment_id is not null` }',
    to: 'payment: { first: sql`refunded_payment_id is null` }',
    caught: { by: BY, test: DELETED },
  },
  {
    breaks: 'a deleted clinic gets no new key',
    file: 'packages/operator/src/operator.ts',
    from: "if (deleted_at !== null && even !== 'deleted')",
    to: "if (deleted_at !== null && even === 'open' && closed_at === null)",
    caught: { by: BY, test: DELETED },
  },
  {
    breaks: 'an archive ends where a file has other bytes than its size says',
    file: 'packages/disk/src/tar.ts',
    from: 'if (written !== size) throw',
    to: 'if (written > size) throw',
    caught: { by: 'packages/disk/test/tar.test.ts', test: 'a file with other bytes than its size says is no archive' },
  },
]
