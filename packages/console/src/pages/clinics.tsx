// The partners of a reader who works in several clinics, side by side, and Stop in all of them.
import '../webhooks/webhooks.css'
import '../connections/connections.css'
import '../integrations/integrations.css'
import '../clinics/clinics.css'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useRows } from '@clinic-data/console-parts/shown/use-rows'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PartnerCard } from '../clinics/partner-card.tsx'
import { type Partner, partnersOf } from '../clinics/partners.ts'
import { StopEverywhere } from '../clinics/stop-everywhere.tsx'
import { useClinics } from '../clinics/use-clinics.ts'
import { FindByName } from '../integrations/find-by-name.tsx'

/** More than a tall screen shows. */
const CARDS_AT_ONCE = 6

export function ClinicsPage() {
  const { clinics: words } = usePeopleWords().pairings
  const read = useClinics()
  const [stopped, setStopped] = useState<Partner | null>(null)
  const all = partnersOf(read.members)
  return (
    <>
      <Heading title={words.title} text={words.text} />
      {!read.isReady && <Skeleton height={220} radius="md" aria-hidden="true" />}
      <Failure error={read.error} onRetry={read.refetch} />
      {read.isReady && all.length === 0 && <Text c="dimmed">{words.none}</Text>}
      <FindByName all={all}>{(found) => read.isReady && <Partners partners={found} onStop={setStopped} />}</FindByName>
      {read.closed.map(({ clinic_id, name }) => (
        <Text key={clinic_id} c="dimmed">
          {words.closed(name)}
        </Text>
      ))}
      {read.notShown.map(({ clinic_id, name }) => (
        <Text key={clinic_id} c="dimmed">
          {words.notYours(name)}
        </Text>
      ))}
      <StopEverywhere partner={stopped} onClose={() => setStopped(null)} />
    </>
  )
}

function Partners({ partners, onStop }: { partners: readonly Partner[]; onStop: (partner: Partner) => void }) {
  const shown = useRows(partners, CARDS_AT_ONCE)
  return (
    <Stack gap="lg">
      {shown.map((partner) => (
        <PartnerCard key={partner.name} partner={partner} onStop={onStop} />
      ))}
    </Stack>
  )
}
