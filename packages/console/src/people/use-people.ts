// Reads the list of people again, and the session where a change concerns the reader.

import type { Person } from '@clinic-data/console-parts/api'
import { PEOPLE, SESSION } from '@clinic-data/console-parts/requests/query-client'
import { useSession } from '@clinic-data/console-parts/session'
import { useQueryClient } from '@tanstack/react-query'

export function useReadAgain(): (person: Person) => Promise<unknown> {
  const client = useQueryClient()
  const { administrator } = useSession()
  return ({ id }) =>
    Promise.all(
      [PEOPLE, ...(id === administrator.id ? [SESSION] : [])].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
}
