// One request for approval: who asks for what, and what the reader can do with it.

import { type Approval, api } from '@clinic-data/console-parts/api'
import { APPROVALS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useApprovalWords } from '@clinic-data/console-words/approval-words'
import { useSpeech } from '@clinic-data/console-words/language'
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Finished, isRepeatable, repeat } from './requested.ts'
import { SubjectFacts } from './subject-facts.tsx'
import { useIsOwn, useTitleOf } from './use-approvals.ts'

const TONES: Readonly<Record<Approval['state'], 'good' | 'bad' | 'quiet'>> = {
  waiting: 'quiet',
  approved: 'good',
  used: 'good',
  refused: 'bad',
  withdrawn: 'quiet',
  expired: 'quiet',
}

interface ApprovalCardProps {
  approval: Approval
  /** It was done by the reader. */
  onFinished: (finished: Finished) => void
}

export function ApprovalCard({ approval, onFinished }: ApprovalCardProps) {
  const words = useApprovalWords()
  const title = useTitleOf()(approval)
  const { state } = approval
  return (
    <Card withBorder padding="lg" component="article" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={3} size="h5" className="broken-anywhere">
              <bdi>{title}</bdi>
            </Title>
            <Text size="sm" c="dimmed">
              <bdi>{words.by(approval.asked_by.name)}</bdi>
            </Text>
          </div>
          <span className="tone status" data-tone={TONES[state]}>
            {words.states[state]}
          </span>
        </Group>
        <SubjectFacts approval={approval} />
        <Times approval={approval} />
        {(state === 'waiting' || state === 'approved') && (
          <Acts approval={approval} title={title} onFinished={onFinished} />
        )}
      </Stack>
    </Card>
  )
}

function Times({ approval: { state, asked_at, decided_at, decided_by, expires_at } }: { approval: Approval }) {
  const words = useApprovalWords()
  const times = useTimes()
  const decided = state === 'refused' ? words.decidedBy.refused : words.decidedBy.approved
  return (
    <dl className="connection-facts">
      <Fact name={words.askedAt}>{times.moment(asked_at)}</Fact>
      {decided_by !== null && decided_at !== null && (
        <Fact name={decided} hints={[times.moment(decided_at)]}>
          <bdi>{decided_by.name}</bdi>
        </Fact>
      )}
      {state === 'waiting' && <Fact name={words.decideUntil}>{times.moment(expires_at)}</Fact>}
      {state === 'approved' && <Fact name={words.useUntil}>{times.moment(expires_at)}</Fact>}
    </dl>
  )
}

function Acts({ approval, title, onFinished }: ApprovalCardProps & { title: string }) {
  const words = useApprovalWords()
  const { language } = useSpeech()
  const client = useQueryClient()
  const { id, state } = approval
  const isOwn = useIsOwn()(approval)
  const after = () => client.invalidateQueries({ queryKey: APPROVALS })
  const sent = useActing({ act: (decide: (id: string) => Promise<unknown>) => decide(id), after })
  // Any list may show it.
  const finishing = useActing({
    act: () => repeat(approval, language),
    onDone: onFinished,
    after: () => client.invalidateQueries(),
  })
  const button = { variant: 'default', disabled: sent.isPending }
  const isApproved = state === 'approved'
  return (
    <>
      <Failure error={finishing.error} />
      {hasStatus(sent.error, 409) ? <Refused text={words.closed} /> : <Failure error={sent.error} />}
      {isOwn && isApproved && !isRepeatable(approval) && <Text size="sm">{words.finishInApp}</Text>}
      <Group justify="flex-end" gap="sm">
        {isOwn ? (
          <>
            <Button {...button} aria-label={words.withdrawOf(title)} onClick={() => sent.act(api.withdrawApproval)}>
              {words.withdraw}
            </Button>
            {isApproved && isRepeatable(approval) && (
              <Button aria-label={words.finishOf(title)} loading={finishing.isPending} onClick={() => finishing.act()}>
                {words.finish}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button {...button} aria-label={words.refuseOf(title)} onClick={() => sent.act(api.refuseApproval)}>
              {isApproved ? words.takeBack : words.refuse}
            </Button>
            {!isApproved && (
              <Button
                aria-label={words.approveOf(title)}
                loading={sent.isPending}
                onClick={() => sent.act(api.approve)}
              >
                {words.approve}
              </Button>
            )}
          </>
        )}
      </Group>
    </>
  )
}
