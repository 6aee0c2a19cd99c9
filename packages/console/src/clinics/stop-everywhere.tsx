// Asks before a partner is stopped in all clinics of the reader, and tells what became of it in each: one that fails holds up no other.

import { rolesOf } from '@clinic-data/console-contract/roles'
import { api } from '@clinic-data/console-parts/api'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { stateOf } from '../integrations/integration-state.ts'
import { addressOf, type InClinic, type Partner } from './partners.ts'

const isGoing = ({ integration }: InClinic) => !['stopped', 'ended'].includes(stateOf(integration))
const mayStop = ({ clinic }: InClinic) => rolesOf.stopIntegration.includes(clinic.role)

export const isStoppable = (one: InClinic) => isGoing(one) && mayStop(one)

interface Outcome {
  of: InClinic
  /** Null: it is stopped. */
  error: unknown
}

async function stop(of: InClinic): Promise<Outcome> {
  try {
    await api.stopIntegrationAt(addressOf(of.clinic), of.integration.id)
    return { of, error: null }
  } catch (error) {
    return { of, error }
  }
}

interface StopEverywhereProps {
  /** Null: the dialog is closed. */
  partner: Partner | null
  onClose: () => void
}

export function StopEverywhere({ partner, onClose }: StopEverywhereProps) {
  const { stopping } = usePeopleWords().pairings
  return (
    <Dialog title={partner && stopping.title(partner.name)} isOpen={partner !== null} onClose={onClose} size="question">
      {partner && <Question partner={partner} onClose={onClose} />}
    </Dialog>
  )
}

function Question({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const { stopping: words } = usePeopleWords().pairings
  const { cancel } = useWords()
  const client = useQueryClient()
  // The answer is about these, whatever is read meanwhile.
  const [going] = useState(() => partner.members.filter(isGoing))
  const stopped = useActing({
    act: () => Promise.all(going.filter(mayStop).map(stop)),
    after: () => client.invalidateQueries({ queryKey: INTEGRATIONS }),
  })
  const outcomes = stopped.done
  return (
    <Stack gap="md">
      {outcomes === undefined ? (
        <div>
          <Text>{words.text}</Text>
          <ul className="stopping">
            {going.filter(mayStop).map(({ clinic, integration }) => (
              <li key={integration.id}>
                <bdi>{clinic.name}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <Stack gap="sm" role="status">
          {outcomes.map(({ of: { clinic, integration }, error }) => (
            <div key={integration.id}>
              <Text>{error === null ? words.stopped(clinic.name) : words.failed(clinic.name)}</Text>
              <Failure error={error} />
            </div>
          ))}
        </Stack>
      )}
      {going
        .filter((one) => !mayStop(one))
        .map(({ clinic, integration }) => (
          <Text key={integration.id}>{words.notYours(clinic.name)}</Text>
        ))}
      <Text>{words.undone}</Text>
      <Failure error={stopped.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {outcomes === undefined ? cancel : words.close}
        </Button>
        {outcomes === undefined && (
          <Button color="red" loading={stopped.isPending} onClick={() => stopped.act()}>
            {words.submit}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
