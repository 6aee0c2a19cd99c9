// The keys that a newer one replaces: whether they are still used, and the way to end them.

import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Code, Group, Stack, Text } from '@mantine/core'
import { type ListedKey, maskedKey } from './key-state.ts'

export function Rotations({ keys, onRevoke }: { keys: readonly ListedKey[]; onRevoke: (key: ListedKey) => void }) {
  const replaced = keys.filter(({ state }) => state === 'replaced')
  return replaced.map((key) => <Rotation key={key.id} old={key} onRevoke={onRevoke} />)
}

function Rotation({ old, onRevoke }: { old: ListedKey; onRevoke: (key: ListedKey) => void }) {
  const { keys } = useWords()
  const isUsed = old.requests_24h > 0
  return (
    <Card withBorder padding="md" className="rotation" data-used={isUsed || undefined}>
      <Group justify="space-between" gap="md">
        <Stack gap={2} className="rotation-text">
          <Text fw={600}>{keys.rotating(old.name)}</Text>
          <Text size="sm">
            <Code dir="ltr">{maskedKey(old)}</Code>{' '}
            {isUsed ? keys.stillUsed(keys.requests(old.requests_24h)) : keys.unused}
          </Text>
        </Stack>
        <Button variant={isUsed ? 'default' : 'filled'} size="sm" onClick={() => onRevoke(old)}>
          {keys.revokeOld}
        </Button>
      </Group>
    </Card>
  )
}
