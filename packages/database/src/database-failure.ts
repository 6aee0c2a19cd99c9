// The failures that a caller tells apart. Everything else is the server's own DatabaseError.

import { DatabaseError } from 'pg'

export { DatabaseError } from 'pg'

/** The database cannot be reached, or the connection broke: what was under way may or may not have been done. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** A statement took longer than the database's statement timeout and was cancelled by the server. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout'
}

/** A transaction reached its deadline: its connection was destroyed, so that the server rolls it back. */
export class TransactionTimeout extends Error {
  override readonly name = 'TransactionTimeout'
}

/** The failure which a driver's error stands for. */
export function failureOf(error: unknown): Error {
  if (error instanceof DatabaseError) {
    if (error.code === '57014') return new StatementTimeout('the statement was cancelled', { cause: error })
    return endsConnection(error) || isStalePlan(error) ? unavailable(error) : error
  }
  // A column that could not be read.
  if (error instanceof RangeError || error instanceof SyntaxError) return error
  // Whatever else the driver raises by itself speaks of a socket.
  return unavailable(error)
}

export function unavailable(cause: unknown): DatabaseUnavailable {
  if (cause instanceof DatabaseUnavailable) return cause
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new DatabaseUnavailable(`the database is unavailable: ${reason}`, { cause })
}

// Shut down or starting (57P01-05), too many connections (53300), a broken connection (08…), an idle transaction ended.
function endsConnection({ code, severity }: DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC' || /^(57P0|08|53300)/.test(code ?? '')
}

// What this connection has prepared can no longer be run by its name: a migration has changed the statement's columns, or
// the server has forgotten it. On a new connection it runs.
function isStalePlan({ code, routine }: DatabaseError): boolean {
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
