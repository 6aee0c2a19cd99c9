// Tells what came of a request, when there is nothing more to decide.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Entrance } from '../shell/entrance.tsx'

export function Outcome({ title, text, children }: { title: string; text: ReactNode; children?: ReactNode }) {
  return (
    <Entrance title={title} text="">
      <Stack gap="md">
        <Text>{text}</Text>
        {children}
      </Stack>
    </Entrance>
  )
}
