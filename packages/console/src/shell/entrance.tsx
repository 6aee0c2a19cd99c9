// The frame of the pages before a session: a card in the middle, and the reader's choices below it.

import { useWords } from '@clinic-data/console-words/language'
import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Mark } from './mark.tsx'
import { Preferences } from './preferences.tsx'

interface EntranceProps {
  title: string
  text: string
  foot?: string
  children: ReactNode
}

export function Entrance({ title, text, foot, children }: EntranceProps) {
  const words = useWords()
  useEffect(() => {
    document.title = `${title} · ${words.title}`
  }, [title, words])
  return (
    <main className="entrance">
      <Stack gap="lg" w="100%" maw={400}>
        <div className="entrance-head">
          <Mark size={44} />
          <Title order={1} size="h2" mt="md">
            {title}
          </Title>
          <Text c="dimmed" mt={4} role="status">
            {text}
          </Text>
        </div>
        <Paper withBorder p="lg" radius="lg" shadow="xs">
          {children}
        </Paper>
        {foot && (
          <Text size="sm" c="dimmed" ta="center">
            {foot}
          </Text>
        )}
        <Preferences />
      </Stack>
    </main>
  )
}
