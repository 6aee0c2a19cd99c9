// The failures that callers distinguish. Every other one is the server's own DatabaseError.

import { DatabaseError } from 'pg'

export { DatabaseError } from 'pg'

/** The database cannot be reached, lacks what it needs itself, or the connection broke. The work under way may or may not have been done. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** A statement ran longer than the database's statement timeout, and the server cancelled it. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout'
}

/** A transaction reached its deadline. Its connection was destroyed, so the server rolls it back. */
export class TransactionTimeout extends Error {
  override readonly name = 'TransactionTimeout'
}

const VIOLATIONS = { unique: '23505', 'foreign key': '23503' } as const

/** Whether the server refused a row because of a constraint of this kind. */
export function violates(error: unknown, kind: keyof typeof VIOLATIONS): error is DatabaseError {
  return error instanceof DatabaseError && error.code === VIOLATIONS[kind]
}

/** Converts the driver's error of a statement that may write. */
export function failureOf(error: unknown): Error {
  return isReadOnly(error) ? unavailable(error) : readFailureOf(error)
}

/** Converts the driver's error of a statement in a read-only transaction: to write there is the statement's own fault. */
export function readFailureOf(error: unknown): Error {
  if (error instanceof DatabaseError) {
    if (error.code === '57014') return new StatementTimeout('the statement was cancelled', { cause: error })
    return isServersFailure(error) || isStalePlan(error) ? unavailable(error) : withoutValue(error)
  }
  // A column that could not be read.
  if (error instanceof RangeError || error instanceof SyntaxError) return error
  // Every other error of the driver itself is about a socket.
  return unavailable(error)
}

/** The server quotes a value that it cannot use (22…) in the sentence that every log shows. What it quotes may be a patient's. */
function withoutValue(error: DatabaseError): DatabaseError {
  if (!error.code?.startsWith('22') || !error.message.includes('"')) return error
  error.message = `the database cannot use a value (${error.code}, ${error.routine})`
  return error
}

/** OpenSSL's names of what is wrong with a certificate, and Node.js's own for another name than the server's. Not a peer's alert. */
const UNTRUSTED = /^(?!ERR_SSL_).*(CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH)/

/** Whether the server's certificate was refused. */
export function isUntrusted(error: unknown): boolean {
  return error instanceof Error && UNTRUSTED.test((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Without its settings a connection has no limits of time and another time zone, and a pooler that gives each transaction to another
 * connection delivers no notices.
 */
export const POOLER_ADVICE =
  'a pooler such as PgBouncer stands between; give the address of PostgreSQL itself, or let it work in session mode and not ignore "options"'

/** Whether what answered is a pooler that does not let a connection bring its settings with the greeting. */
export function isPoolersRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && /unsupported startup parameter/.test(error.message)
}

/** Whether what answered is a pooler that cannot be used. It does not change by itself, so nothing waits for that. */
export function isUnfitPooler(error: unknown): boolean {
  return error instanceof UnfitPooler || isPoolersRefusal(error)
}

/** A pooler that gives a connection another session for each transaction. */
export class UnfitPooler extends Error {
  override readonly name = 'UnfitPooler'
}

export function unavailable(cause: unknown): DatabaseUnavailable {
  if (cause instanceof DatabaseUnavailable) return cause
  const message = cause instanceof Error ? cause.message || cause.name : String(cause)
  const reason = isUntrusted(cause)
    ? "its server's certificate is not trusted; name the file of its authority in the url, sslmode=verify-full&sslrootcert=<file>, and connect to a name that it is for"
    : message + (isUnfitPooler(cause) ? `: ${POOLER_ADVICE}` : '')
  return new DatabaseUnavailable(`the database is unavailable: ${reason}`, { cause })
}

// The primary was demoted. Its successor is found by a new connection.
function isReadOnly(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === '25006'
}

/** Whether the server is there and cannot write: its disk is full or broken, it lacks memory, or it is no primary any more. */
export function cannotWrite(error: unknown): error is DatabaseUnavailable {
  const cause = error instanceof DatabaseUnavailable ? error.cause : null
  return cause instanceof DatabaseError && cause.severity === 'ERROR' && /^(53|58030|25006)/.test(cause.code ?? '')
}

// A shutdown or start (57P01-05), a broken connection (08…), an idle transaction that was ended. And what the server itself lacks: room
// on its disk, memory, connections (53…), a disk that reads and writes (58030).
function isServersFailure({ code, severity }: DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC' || /^(57P0|08|53|58030)/.test(code ?? '')
}

// A prepared statement of this connection can no longer be run by its name: a migration changed its columns, or the server forgot
// it. It runs on a new connection.
function isStalePlan({ code, routine }: DatabaseError): boolean {
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
