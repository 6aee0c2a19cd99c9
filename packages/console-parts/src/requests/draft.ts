// Keeps what was typed into a form when the session ended under it: it is still there after signing in again. In memory, so it ends with
// the tab, and in the tab's storage while the reader is at the identity provider. Nothing secret belongs here.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../session.ts'
import { SESSION } from './query-client.ts'

const KEPT = 'console.drafts'
const drafts = new Map<string, unknown>(takeKept())

function takeKept(): [string, unknown][] {
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  return kept === null ? [] : JSON.parse(kept)
}

/** Call it before the page is left for another one, from which the reader returns. */
export function keepDrafts(): void {
  if (drafts.size > 0) sessionStorage.setItem(KEPT, JSON.stringify([...drafts]))
}

/** Another administrator's draft is nobody else's. */
const useOwnName = (name: string) => `${useSession().administrator.id} ${name}`

/** Whether something was written into a form by this name when the session ended. */
export function useHasDraft(form: string): boolean {
  const own = useOwnName(form)
  return [...drafts.keys()].some((name) => name.startsWith(`${own} `))
}

/**
 * As `useState`. A form that is closed, or has done its work, leaves nothing.
 *
 * @param name the form's and the field's, with a space between.
 */
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
