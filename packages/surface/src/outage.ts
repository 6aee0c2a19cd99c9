// If the database cannot be reached or is too slow, callers get 503 instead of 500, and may retry.
import { Problem } from '@clinic-data/contract'
import { DatabaseUnavailable, StatementTimeout, TransactionTimeout } from '@clinic-data/database'

const OUTAGES = [DatabaseUnavailable, StatementTimeout, TransactionTimeout]

/** How long a client should wait when the database cannot answer. */
const RETRY_AFTER_SECONDS = 1

/** Wraps work so that a database outage becomes a problem that may be retried. */
export function tellingOutages<Parameters extends unknown[], Result>(
  work: (...parameters: Parameters) => Promise<Result>,
): (...parameters: Parameters) => Promise<Result> {
  return (...parameters) =>
    work(...parameters).catch((error: unknown) => {
      throw OUTAGES.some((outage) => error instanceof outage) ? unavailable(error) : error
    })
}

export function unavailable(cause: unknown): Problem {
  const detail = `The clinic's data cannot be read at the moment. Retry in ${RETRY_AFTER_SECONDS} second, then with growing pauses.`
  return new Problem('service-unavailable', detail, { retry_after: RETRY_AFTER_SECONDS }, cause)
}
