// Says that an integration is stopped, with the one click that undoes it, and what Stop or its undoing has just done.

import { api, type IntegrationPage, type StopAnswer } from '@clinic-data/console-parts/api'
import { forgetMembers } from '@clinic-data/console-parts/requests/forget-members'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { PlaceLink } from '../places.tsx'
import { useMay } from '../roles.ts'

interface StoppedProps {
  integration: IntegrationPage
  /** By Stop or its undoing on this page. */
  done: StopAnswer | null
  onResumed: (done: StopAnswer) => void
}

export function Stopped({ integration, done, onResumed }: StoppedProps) {
  const { integrations: words } = useIntegrationWords()
  const may = useMay()
  const times = useTimes()
  const client = useQueryClient()
  const { id, stopped_at, is_stopped_by_rule } = integration
  const resuming = useActing({
    act: () => api.resumeIntegration(id),
    onDone: onResumed,
    after: () => forgetMembers(client),
  })
  if (stopped_at === null) return <Resumed done={done?.stopped_at === null ? done : null} />
  const time = times.moment(stopped_at)
  return (
    <Alert color="red" variant="outline" role="status" c="var(--mantine-color-error)">
      <Stack gap="sm" align="flex-start">
        <Text fw={600}>{whoStopped(integration, time, words)}</Text>
        {is_stopped_by_rule && may('listAlerts') && (
          <PlaceLink to="activity" search="?view=alerts">
            {words.itsAlert}
          </PlaceLink>
        )}
        <Text>{done?.stopped_at ? words.done.stopped(done) : words.stoppedText}</Text>
        <Failure error={resuming.error} />
        {may('resumeIntegration') && (
          <Button variant="default" loading={resuming.isPending} onClick={() => resuming.act()}>
            {words.resume}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function whoStopped(
  { stopped_by, is_stopped_by_rule }: IntegrationPage,
  time: string,
  words: ReturnType<typeof useIntegrationWords>['integrations'],
): string {
  if (is_stopped_by_rule) return words.stoppedByRule(time)
  return stopped_by === null ? words.stopped(time) : words.stoppedBy(time, stopped_by.name)
}

/** Stays in the page, so that a screen reader hears what is put into it. */
function Resumed({ done }: { done: StopAnswer | null }) {
  const { integrations } = useIntegrationWords()
  return (
    <div role="status" className="resumed">
      {done !== null && (
        <Alert color="green" variant="outline" c="var(--console-good)">
          {integrations.done.resumed(done)}
        </Alert>
      )}
    </div>
  )
}
