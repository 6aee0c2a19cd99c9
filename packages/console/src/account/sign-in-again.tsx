// Says to whoever has nothing to confirm with that only another sign-in helps, and leads there and back.

import { useSignOut } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Text } from '@mantine/core'

export function SignInAgain() {
  const { again } = useWords().account
  const leave = useSignOut()
  return (
    <Group gap="sm">
      <Text size="sm">{again.text}</Text>
      <Button variant="default" size="xs" loading={leave.isPending} onClick={() => leave.mutate(false)}>
        {again.action}
      </Button>
      <Failure error={leave.error} />
    </Group>
  )
}
