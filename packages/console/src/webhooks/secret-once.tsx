// A secret, shown this once, with the lines that check a delivery by it.

import { CopyText } from '@clinic-data/console-parts/shown/copy'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack, Text } from '@mantine/core'
import { Verify } from '../deliveries/verify.tsx'

export function SecretOnce({ secret, text, onDone }: { secret: string; text: string; onDone: () => void }) {
  const { once } = useWords().webhooks
  useHeld()
  return (
    <Stack gap="lg">
      <Text>{text}</Text>
      <CopyText label={once.secret} text={secret} isMain />
      <Verify />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {once.done}
        </Button>
      </Group>
    </Stack>
  )
}
