// Leads a clinic without integrations to its first one.

import { useSession } from '@clinic-data/console-parts/session'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Button, Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { linkTo } from '../places.tsx'
import { useMay } from '../roles.ts'

export function FirstSteps({ onMakeKey }: { onMakeKey: () => void }) {
  const { begin } = useIntegrationWords().home
  const may = useMay()
  const { connects_apps } = useSession()
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        {begin.title}
      </Title>
      <div className="first-steps">
        {connects_apps && may('lookAtRequest') && (
          <Way words={begin.app}>
            <Button component="a" variant="default" {...linkTo('connect')}>
              {begin.app.action}
            </Button>
          </Way>
        )}
        {may('mintKey') && (
          <Way words={begin.key}>
            <Button variant="default" onClick={onMakeKey}>
              {begin.key.action}
            </Button>
          </Way>
        )}
        <Way words={begin.webhook}>
          <Button component="a" variant="default" {...linkTo('webhooks')}>
            {begin.webhook.action}
          </Button>
        </Way>
      </div>
    </section>
  )
}

function Way({ words, children }: { words: { title: string; text: string }; children: ReactNode }) {
  return (
    <Card withBorder padding="lg">
      <Stack gap="md" justify="space-between" h="100%" align="flex-start">
        <div>
          <Title order={3} size="h5" mb={4}>
            {words.title}
          </Title>
          <Text c="dimmed">{words.text}</Text>
        </div>
        {children}
      </Stack>
    </Card>
  )
}
