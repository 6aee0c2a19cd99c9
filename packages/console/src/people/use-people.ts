// Reads the list of people again, and the session where a change concerns the reader.
import { useQueryClient } from '@tanstack/react-query'
import type { Person } from '../api.ts'
import { PEOPLE, SESSION } from '../requests/query-client.ts'
import { useSession } from '../session.ts'

export function useReadAgain(): (person: Person) => Promise<unknown> {
  const client = useQueryClient()
  const { administrator } = useSession()
  return ({ id }) =>
    Promise.all(
      [PEOPLE, ...(id === administrator.id ? [SESSION] : [])].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
}
