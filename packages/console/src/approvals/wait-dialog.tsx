// Waits for another person over a form that may not go on alone. Once it is approved, the request goes on by itself.

import '../connections/connections.css'
import './approvals.css'
import { type Approval, api } from '@clinic-data/console-parts/api'
import { APPROVALS } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { approving, useWaiting } from '@clinic-data/console-parts/requests/waiting'
import { useSession, useSessionQuery } from '@clinic-data/console-parts/session'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useApprovalWords } from '@clinic-data/console-words/approval-words'
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SubjectFacts } from './subject-facts.tsx'
import { useIsOwn, useTitleOf } from './use-approvals.ts'

/** Two people who talk to each other do this together. */
const WATCH_MS = 3_000

export function WaitDialog() {
  const { wait } = useApprovalWords()
  const isWaiting = useWaiting(approving)
  const isSignedIn = typeof useSessionQuery().data === 'object'
  useEffect(() => {
    // Nobody is there to go on.
    if (isWaiting && !isSignedIn) approving.settle(false)
  }, [isWaiting, isSignedIn])
  return (
    <Dialog title={wait.title} isOpen={isWaiting && isSignedIn} onClose={() => approving.settle(false)} isForm>
      <Waiting />
    </Dialog>
  )
}

function Waiting() {
  const { wait } = useApprovalWords()
  const isOwn = useIsOwn()
  const { role } = useSession().administrator
  const client = useQueryClient()
  // The first look is from after the request: an earlier list does not know it.
  const read = useQuery({
    queryKey: [...APPROVALS, 'waiting'],
    queryFn: () => api.listApprovals(true),
    refetchInterval: WATCH_MS,
    gcTime: 0,
  })
  const latest = read.data?.data.find(isOwn)
  const state = latest?.state
  const isApproved = state === 'approved'
  useEffect(() => {
    if (!isApproved) return
    approving.settle(true)
    void client.invalidateQueries({ queryKey: APPROVALS })
  }, [isApproved, client])
  return (
    <Stack gap="md">
      <Text>{role === 'member' ? wait.textOfMember : wait.text}</Text>
      <Failure error={read.error} onRetry={() => read.refetch()} />
      {latest && <ShownSubject approval={latest} />}
      {latest === undefined || state === 'waiting' || isApproved ? (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden="true" />
          <Text size="sm">{wait.waits}</Text>
        </Group>
      ) : (
        <Refused text={state === 'refused' ? wait.refused(latest.decided_by?.name ?? '') : wait.over} />
      )}
      <Acts approval={state === 'waiting' ? latest : undefined} />
    </Stack>
  )
}

function ShownSubject({ approval }: { approval: Approval }) {
  const title = useTitleOf()(approval)
  return (
    <div className="approval-subject">
      <Text fw={600} className="broken-anywhere">
        <bdi>{title}</bdi>
      </Text>
      <SubjectFacts approval={approval} />
    </div>
  )
}

function Acts({ approval }: { approval: Approval | undefined }) {
  const { wait } = useApprovalWords()
  const sent = useActing({
    act: (id: string) => api.withdrawApproval(id),
    onDone: () => approving.settle(false),
  })
  return (
    <>
      <Failure error={sent.error} />
      <Group justify="flex-end" gap="sm">
        {approval && (
          <Button variant="default" loading={sent.isPending} onClick={() => sent.act(approval.id)}>
            {wait.withdraw}
          </Button>
        )}
        <Button onClick={() => approving.settle(false)} data-autofocus>
          {wait.later}
        </Button>
      </Group>
    </>
  )
}
