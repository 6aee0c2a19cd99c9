// A backend whose database is away or too slow: its callers are told to come back (503), not that something is broken (500).
import { type Backend, Problem } from '@clinic-data/contract'
import { DatabaseUnavailable, StatementTimeout, TransactionTimeout } from '@clinic-data/database'

const OUTAGES = [DatabaseUnavailable, StatementTimeout, TransactionTimeout]

/** The same backend, whose outages are problems that may be retried. */
export function tellingOutages(backend: Backend): Backend {
  const handlers = Object.fromEntries(
    Object.entries(backend.handlers).map(([id, handler]) => [id, telling(handler as AnyWork)]),
  ) as unknown as Backend['handlers']
  return {
    ...backend,
    handlers,
    authenticate: telling(backend.authenticate),
    audit: telling(backend.audit),
    openFile: telling(backend.openFile),
  }
}

type AnyWork = (...parameters: never[]) => Promise<unknown>

function telling<Work extends AnyWork>(work: Work): Work {
  const told = (...parameters: Parameters<Work>) => work(...parameters).catch(tell)
  return told as unknown as Work
}

function tell(error: unknown): never {
  if (!OUTAGES.some((outage) => error instanceof outage)) throw error
  throw new Problem(
    'service-unavailable',
    'Temporarily unavailable. Wait for Retry-After, then retry with exponential backoff.',
    { retry_after: 1 },
    error,
  )
}
