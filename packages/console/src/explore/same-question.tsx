// The question as it can be asked elsewhere: `sc`, curl, and the call of a model's client.

import { useSession } from '@clinic-data/console-parts/session'
import { CopyText } from '@clinic-data/console-parts/shown/copy'
import { useWords } from '@clinic-data/console-words/language'
import { curlLine, mcpLine, scLine } from '@clinic-data/contract/projections/question-lines'
import { Card, Stack, Text, Title } from '@mantine/core'
import { PlaceLink } from '../places.tsx'
import type { QueryBody } from './question.ts'

export function SameQuestion({ body }: { body: QueryBody }) {
  const { explore } = useWords()
  const { api_url } = useSession()
  return (
    <Card withBorder padding="lg" component="section" aria-label={explore.same} className="same-question">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {explore.same}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {explore.sameText}{' '}
            <PlaceLink to="keys" underline="always">
              {explore.sameKey}
            </PlaceLink>
          </Text>
        </div>
        <CopyText label={explore.sc} text={scLine(body, api_url)} />
        <CopyText label={explore.curl} text={curlLine(body, api_url)} />
        <CopyText label={explore.mcp} text={mcpLine(body, api_url)} />
      </Stack>
    </Card>
  )
}
