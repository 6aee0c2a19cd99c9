// Asks whether the account that was offered in another clinic is paired with this one: its person has just signed in here.

import { api, type ConsoleSession } from '@clinic-data/console-parts/api'
import { PAIRINGS, SESSION } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useSession } from '@clinic-data/console-parts/session'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

type Offer = NonNullable<ConsoleSession['offered']>

export function OfferedDialog({ offer }: { offer: Offer }) {
  const { offered: words } = usePeopleWords().pairings
  const client = useQueryClient()
  const { clinic } = useSession()
  // The session forgets the offer when it is read again.
  const [shown] = useState(offer)
  const readAgain = () => Promise.all([SESSION, PAIRINGS].map((queryKey) => client.invalidateQueries({ queryKey })))
  const refused = useActing({ act: api.refusePairing, after: readAgain })
  const paired = useActing({ act: api.pair })
  const close = () => (paired.isSuccess ? void readAgain() : refused.act())
  return (
    <Dialog title={words.title(shown.name, clinic.name)} isOpen onClose={close} isForm size="question">
      <Stack gap="md">
        {!paired.isSuccess && (
          <>
            <Text>{words.text(`\u2066${shown.email}\u2069`, shown.name, clinic.name)}</Text>
            <Text>{words.proof}</Text>
            <Text fw={600}>{words.onlyYours}</Text>
          </>
        )}
        {paired.isSuccess && <Text role="status">{words.done}</Text>}
        {hasStatus(paired.error, 409) ? <Refused text={words.late} /> : <Failure error={paired.error} />}
        <Failure error={refused.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" loading={refused.isPending} onClick={close} data-autofocus>
            {paired.isSuccess ? words.close : words.refuse}
          </Button>
          {!paired.isSuccess && (
            <Button loading={paired.isPending} onClick={() => paired.act()}>
              {words.submit}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
