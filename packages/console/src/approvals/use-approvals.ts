// The requests for approval, read again as long as the page is open.
import { type Approval, api } from '@clinic-data/console-parts/api'
import { APPROVALS } from '@clinic-data/console-parts/requests/query-client'
import { useSession } from '@clinic-data/console-parts/session'
import { useOperationWords } from '@clinic-data/console-words/operation-words'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { subjectOf } from './requested.ts'

const WATCH_MS = 10_000

export function useApprovals() {
  const client = useQueryClient()
  return useQuery({
    queryKey: APPROVALS,
    queryFn: () => api.listApprovals(client.getQueryData(APPROVALS) !== undefined),
    refetchInterval: WATCH_MS,
  })
}

/** Whether the reader asked for it. */
export function useIsOwn(): (approval: Approval) => boolean {
  const { id } = useSession().administrator
  return ({ asked_by }) => asked_by.id === id
}

/** @returns what was asked for, in a few words: the operation and what it is about. */
export function useTitleOf(): (approval: Approval) => string {
  const operations = useOperationWords()
  return (approval) => {
    const operation = operations[approval.operation as keyof typeof operations] ?? approval.operation
    const { name } = subjectOf(approval).subject
    return name ? `${operation}: ${name}` : operation
  }
}
