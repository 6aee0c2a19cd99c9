// The new key, shown this once, with lines that try it and store it.

import type { MintedConsoleKey } from '@clinic-data/console-parts/api'
import { useSession } from '@clinic-data/console-parts/session'
import { CopyText } from '@clinic-data/console-parts/shown/copy'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack, Text } from '@mantine/core'

interface ShownOnceProps {
  minted: MintedConsoleKey
  isRotation: boolean
  onDone: () => void
}

export function ShownOnce({ minted: { key }, isRotation, onDone }: ShownOnceProps) {
  const { shown } = useWords()
  const { api_url } = useSession()
  useHeld()
  return (
    <Stack gap="lg">
      <Text>
        {shown.text} {isRotation && shown.afterRotation}
      </Text>
      <CopyText label={shown.key} text={key} isMain />
      <CopyText label={shown.curl} text={`curl ${api_url}/v1/me -H 'Authorization: Bearer ${key}'`} />
      <CopyText label={shown.sc} text={`printf %s '${key}' | SC_BASE_URL=${api_url} sc login --key-stdin`} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {shown.done}
        </Button>
      </Group>
    </Stack>
  )
}
