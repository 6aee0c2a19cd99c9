// The frame of a page on which somebody decides about an app: all of it fits the screen of a phone.
import './consent.css'
import { useWords } from '@clinic-data/console-words/language'
import { Paper, Stack } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Preferences } from '../shell/preferences.tsx'

export function Sheet({ title, children }: { title: string; children: ReactNode }) {
  const words = useWords()
  useEffect(() => {
    document.title = `${title} · ${words.title}`
  }, [title, words])
  return (
    <main className="entrance sheet">
      <Stack gap="sm" w="100%" maw={460}>
        <Paper withBorder radius="lg" shadow="xs" className="sheet-paper">
          {children}
        </Paper>
        <Preferences />
      </Stack>
    </main>
  )
}
