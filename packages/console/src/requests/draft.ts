// What was typed into a form when the session ended under it: still there after signing in again. In memory alone, so it ends with the
// tab, and nothing secret belongs here.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../session.ts'
import { SESSION } from './query-client.ts'

const drafts = new Map<string, unknown>()

/** Another administrator's draft is nobody else's. */
const useOwnName = (name: string) => `${useSession().administrator.id} ${name}`

/** Whether a form by this name was open when the session ended. */
export function useHasDraft(name: string): boolean {
  return drafts.has(useOwnName(name))
}

/** As `useState`. A form that is closed, or has done its work, leaves nothing. */
export function useDraft<T>(name: string, begun: T): readonly [T, (next: T) => void] {
  const own = useOwnName(name)
  const client = useQueryClient()
  const [value, setValue] = useState<T>(() => (drafts.has(own) ? (drafts.get(own) as T) : begun))
  useEffect(
    () => () => {
      if (client.getQueryData(SESSION) !== 'ended') drafts.delete(own)
    },
    [client, own],
  )
  const change = (next: T) => {
    drafts.set(own, next)
    setValue(next)
  }
  return [value, change]
}
