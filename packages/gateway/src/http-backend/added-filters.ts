// A call with filters that the contract has gained: it names them beside its input, which a backend of an earlier version refuses. To
// leave a filter out would show rows that nobody asked for.
import { type Operation, Problem } from '@clinic-data/contract'
import { addedFiltersIn } from '@clinic-data/contract/added-filters'
import { isRefusedCall, type ReadReply } from '@clinic-data/contract/port-answer'

/** The names beside a call's input, only where there are some: an earlier backend takes every other call. */
export function namedFilters(operation: Operation, query: Readonly<Record<string, unknown>>): { filters?: string[] } {
  const filters = addedFiltersIn(operation, query)
  return filters.length > 0 ? { filters } : {}
}

/** Reads the refusal of a backend that does not know these filters as one that the client can mend. */
export function readingFilters<T>(filters: readonly string[], read: ReadReply<T>): ReadReply<T> {
  return (reply) => (isRefusedCall(reply, 400) ? notKnown(filters) : read(reply))
}

function notKnown(filters: readonly string[]): Problem {
  const detail = 'is not known yet to the system that holds the data of this clinic: leave it out'
  const errors = filters.map((parameter) => ({ parameter, code: 'unsupported', detail }))
  return new Problem('invalid-request', `\`${filters.join('`, `')}\` ${detail}.`, { errors })
}
