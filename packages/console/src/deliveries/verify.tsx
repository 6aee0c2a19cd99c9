// The lines by which a receiving program checks that a delivery is ours.

import { CopyText } from '@clinic-data/console-parts/shown/copy'
import { useWords } from '@clinic-data/console-words/language'
import { Stack, Text } from '@mantine/core'
import python from './verify.py?raw'
import typescript from './verify.ts.txt?raw'

export function Verify() {
  const { verify } = useWords().webhooks
  return (
    <details className="folded">
      <summary>{verify.title}</summary>
      <Stack gap="md" mt="sm">
        <Text size="sm">{verify.text}</Text>
        <CopyText label={verify.typescript} text={typescript.trimEnd()} />
        <CopyText label={verify.python} text={python.trimEnd()} />
      </Stack>
    </details>
  )
}
