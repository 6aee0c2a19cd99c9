// Finds all rows of the audit log that a search of the activity shows, page after page, within bounds.
import type { FoundRows } from '@clinic-data/audit/export/selection'
import { Problem } from '@clinic-data/contract'
import type { ClinicDatabase, ClinicSession } from '@clinic-data/database'
import { type ActivitySearch, searchActivity } from '../pages/activity.ts'
import type { Limits } from './limits.ts'

/** Only the number of each row is kept. */
const PAGE = 1_000

export type ActivityFilters = Omit<ActivitySearch, 'limit' | 'cursor' | 'mostSearched'>

interface Selecting {
  limits: Limits
  now: Date
  /** Whether whoever asked waits no more. */
  isGone: () => boolean
}

/** @throws Problem 422 when there are too many, or the search takes too long. */
export async function selectRows(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  filters: ActivityFilters,
  { limits: { mostRows, mostSearchMs }, now, isGone }: Selecting,
): Promise<FoundRows> {
  const endsAt = performance.now() + mostSearchMs
  const ids: number[] = []
  let firstStoredMs: number | null = null
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const search: ActivitySearch = { ...filters, limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const page = await searchActivity(consoleDatabase, clinic, search, now)
    for (const { id, storedMs } of page.rows) {
      ids.push(id)
      firstStoredMs = storedMs
    }
    cursor = page.cursor
    if (ids.length > mostRows) throw tooMuch('too_many_rows', `The search finds more than ${mostRows} rows.`)
    if (cursor !== null && performance.now() > endsAt)
      throw tooMuch('search_too_long', `The search takes longer than ${mostSearchMs / 1000} seconds.`)
    if (isGone()) throw new Problem('request-timeout', 'Nobody waits for the export any more.')
  }
  return { ids: ids.reverse(), firstStoredMs }
}

export function tooMuch(code: string, fact: string): Problem {
  const detail = `${fact} Choose a shorter period or a narrower filter.`
  return new Problem('unprocessable', detail, { errors: [{ pointer: '#/from', code, detail }] })
}
