// The beginning of a page: its title, which gets the focus after moving there, one sentence, and its main action.

import { useWords } from '@clinic-data/console-words/language'
import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

let isFirst = true

export function Heading({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  const words = useWords()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${words.title}`
  }, [title, words])
  // Before it is seen: whoever types at once, types where the focus will be.
  useLayoutEffect(() => {
    // The first page begins where the browser begins.
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <div className="heading">
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {text && (
          <Text c="dimmed" mt={4}>
            {text}
          </Text>
        )}
      </div>
      {action}
    </Group>
  )
}
