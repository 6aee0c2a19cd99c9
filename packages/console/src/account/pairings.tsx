// The person's other clinics, which one sign-in opens: adding one, and ending that. It belongs to the clinic that was signed in to.

import { api, type Pairing } from '@clinic-data/console-parts/api'
import { PAIRINGS, SESSION } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { type SessionState, useSession } from '@clinic-data/console-parts/session'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Button, Card, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

export function Pairings() {
  const words = usePeopleWords().pairings
  const client = useQueryClient()
  const { is_paired } = useSession()
  const listed = useQuery({ queryKey: PAIRINGS, queryFn: api.listPairings, enabled: !is_paired })
  const [ended, setEnded] = useState<Pairing | null>(null)
  // The person signs in to the other clinic now. This session goes on.
  const offered = useActing({
    act: api.offerPairing,
    onDone: () => client.setQueryData<SessionState>(SESSION, 'pairing'),
  })
  if (is_paired) return null
  const pairings = listed.data?.data ?? []
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <Stack gap="md" align="flex-start">
        <CardHead title={words.title} text={words.text} />
        <Failure error={listed.error} onRetry={() => listed.refetch()} />
        {listed.data && pairings.length === 0 && <Text size="sm">{words.none}</Text>}
        {pairings.length > 0 && (
          <ul className="passkeys">
            {pairings.map((one) => (
              <Listed key={one.id} pairing={one} onEnd={() => setEnded(one)} />
            ))}
          </ul>
        )}
        <Failure error={offered.error} />
        <Button
          variant="default"
          leftSection={<PlusIcon size={16} />}
          loading={offered.isPending}
          onClick={() => offered.act()}
        >
          {words.add}
        </Button>
        <EndDialog ended={ended} onClose={() => setEnded(null)} />
      </Stack>
    </Card>
  )
}

function Listed({ pairing, onEnd }: { pairing: Pairing; onEnd: () => void }) {
  const { people, pairings: words } = usePeopleWords()
  const { roles } = useRoleWords()
  const times = useTimes()
  const { name, clinic_id, role, created_at } = pairing
  return (
    <li>
      <div className="passkey-text">
        <Text fw={600}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{clinic_id}</bdi> · {roles[role][0]} · {people.since(times.day(created_at))}
        </Text>
      </div>
      <Button size="xs" variant="default" aria-label={words.endOf(name)} onClick={onEnd}>
        {words.end}
      </Button>
    </li>
  )
}

function EndDialog({ ended, onClose }: { ended: Pairing | null; onClose: () => void }) {
  const { ending } = usePeopleWords().pairings
  const client = useQueryClient()
  const { clinic } = useSession()
  const end = async () => {
    await api.endPairing(ended?.id ?? '')
    await Promise.all([PAIRINGS, SESSION].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  return (
    <AskFirst title={ended && ending.title(ended.name)} submit={ending.submit} act={end} onClose={onClose}>
      <Text>{ending.text(clinic.name, ended?.name ?? '')}</Text>
    </AskFirst>
  )
}
