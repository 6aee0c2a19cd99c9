// The page of what nobody may do alone: what waits for the reader, what the reader has asked for, what was decided, and the clinic's rule.
import '../connections/connections.css'
import '../webhooks/webhooks.css'
import '../approvals/approvals.css'
import '../patients/patients.css'
import type { Approval } from '@clinic-data/console-parts/api'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Folded } from '@clinic-data/console-parts/shown/folded'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useRows } from '@clinic-data/console-parts/shown/use-rows'
import { useApprovalWords } from '@clinic-data/console-words/approval-words'
import { Skeleton, Space, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { FinishedDialog } from '../approvals/finished-dialog.tsx'
import type { Finished } from '../approvals/requested.ts'
import { RuleCard } from '../approvals/rule-card.tsx'
import { useApprovals, useIsOwn } from '../approvals/use-approvals.ts'

/** Each is as high as half of a tall screen. */
const CARDS_AT_ONCE = 3

const isOpen = ({ state }: Approval) => state === 'waiting' || state === 'approved'

export function ApprovalsPage() {
  const words = useApprovalWords()
  const read = useApprovals()
  return (
    <>
      <Heading title={words.title} text={words.text} />
      {read.data === undefined && !read.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      <Failure error={read.error} onRetry={() => read.refetch()} />
      {read.data && (
        <Stack gap="lg">
          <Approvals approvals={read.data.data} />
          <RuleCard rule={read.data.rule} />
        </Stack>
      )}
    </>
  )
}

function Approvals({ approvals }: { approvals: readonly Approval[] }) {
  const words = useApprovalWords()
  const isOwn = useIsOwn()
  const [finished, setFinished] = useState<Finished | null>(null)
  const open = approvals.filter(isOpen)
  const own = open.filter(isOwn)
  const others = open.filter((one) => !isOwn(one))
  const earlier = approvals.filter((one) => !isOpen(one))
  const cards = (all: readonly Approval[]) => <Cards approvals={all} onFinished={setFinished} />
  return (
    <>
      <Part title={words.waiting}>
        {others.length > 0 ? cards(others) : <Text c="dimmed">{words.noneWaiting}</Text>}
      </Part>
      {own.length > 0 && <Part title={words.own}>{cards(own)}</Part>}
      {earlier.length > 0 && (
        <Folded summary={words.earlier(earlier.length)} className="ended">
          <Space h="md" />
          {cards(earlier)}
        </Folded>
      )}
      <FinishedDialog finished={finished} onClose={() => setFinished(null)} />
    </>
  )
}

function Cards({ approvals, onFinished }: { approvals: readonly Approval[]; onFinished: (one: Finished) => void }) {
  const shown = useRows(approvals, CARDS_AT_ONCE)
  return (
    <Stack gap="md">
      {shown.map((one) => (
        <ApprovalCard key={one.id} approval={one} onFinished={onFinished} />
      ))}
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}
