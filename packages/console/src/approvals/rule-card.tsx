// Whether the clinic wants a second person's approval: an owner turns it on, and off with an approval.

import { FEWEST_APPROVERS } from '@clinic-data/console-contract/approvals'
import { type ApprovalRule, api } from '@clinic-data/console-parts/api'
import { APPROVALS } from '@clinic-data/console-parts/requests/query-client'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useApprovalWords } from '@clinic-data/console-words/approval-words'
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMay } from '../roles.ts'

export function RuleCard({ rule: { is_on, approvers } }: { rule: ApprovalRule }) {
  const { rule: words } = useApprovalWords()
  const client = useQueryClient()
  const mayChange = useMay()('setApprovalRule')
  const choosing = useOpened<'on' | 'off'>()
  const chosen = choosing.opened
  const isAlone = approvers < FEWEST_APPROVERS
  const set = async () => {
    await api.setApprovalRule(chosen === 'on')
    await client.invalidateQueries({ queryKey: APPROVALS })
  }
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} className="approval-rule">
          <Title order={2} size="h5">
            {words.title}: {is_on ? words.isOn : words.isOff}
          </Title>
          <Text size="sm" c="dimmed">
            {words.text}
          </Text>
          <Text size="sm">{isAlone ? (is_on ? words.lonely : words.alone) : words.approvers(approvers)}</Text>
          {!mayChange && (
            <Text size="sm" c="dimmed">
              {words.onlyOwners}
            </Text>
          )}
        </Stack>
        {mayChange && (
          <Button variant="default" disabled={isAlone} onClick={() => choosing.open(is_on ? 'off' : 'on')}>
            {is_on ? words.turnOff : words.turnOn}
          </Button>
        )}
      </Group>
      <AskFirst
        title={chosen && words.title}
        submit={chosen === 'off' ? words.turnOff : words.turnOn}
        conflict={words.alone}
        act={set}
        onClose={choosing.closing(chosen)}
      >
        <Text>{chosen === 'off' ? words.turningOff : words.turningOn}</Text>
      </AskFirst>
    </Card>
  )
}
