// Tells a database that does not answer, which waiting may mend, from every other failure.
import { DatabaseError, DatabaseUnavailable } from '@clinic-data/database'
import { isUnfitPooler, isUntrusted } from '@clinic-data/database/connections/database-failure'
import { AuthenticationRefused } from '@clinic-data/database/connections/server-authentication'

/**
 * A server that answers but refuses the login or the database will refuse it later too (SQLSTATE 28, 3D, 42), a certificate that is not
 * trusted now will not be either, and a pooler stays one.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  const { cause } = error
  if (cause instanceof AuthenticationRefused || isUntrusted(cause) || isUnfitPooler(cause)) return false
  return !(cause instanceof DatabaseError && /^(28|3D|42)/.test(cause.code ?? ''))
}
