// Says that a way in is made only soon after a sign-in, and leads there and back.

import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Text } from '@mantine/core'
import { useSignOut } from '../session.ts'
import { Failure } from '../shown/failure.tsx'

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
