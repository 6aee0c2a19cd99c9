// One partner in all clinics of the reader.

import { moveTo } from '@clinic-data/console-parts/requests/clinic'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Anchor, Button, Card, Group, Table, Title } from '@mantine/core'
import { searchOf } from '../belonging/integration-name.tsx'
import { IntegrationBadge } from '../integrations/integration-badge.tsx'
import { PLACES } from '../places.tsx'
import { addressOf, type InClinic, type Partner } from './partners.ts'
import { isStoppable } from './stop-everywhere.tsx'

interface PartnerCardProps {
  partner: Partner
  onStop: (partner: Partner) => void
}

export function PartnerCard({ partner, onStop }: PartnerCardProps) {
  const { clinics: words } = usePeopleWords().pairings
  const { columns } = words
  const { name, members } = partner
  return (
    <Card withBorder padding={0} component="section" className="partner" aria-label={name}>
      <Group justify="space-between" p="md" gap="sm">
        <Title order={2} size="h4">
          <bdi>{name}</bdi>
        </Title>
        {members.some(isStoppable) && (
          <Button color="red" size="xs" aria-label={words.stopOf(name)} onClick={() => onStop(partner)}>
            {words.stop}
          </Button>
        )}
      </Group>
      <Table className="keys" aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.clinic}</Table.Th>
            <Table.Th>{columns.state}</Table.Th>
            <Table.Th>{columns.used}</Table.Th>
            <Table.Th>{columns.patients}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((one) => (
            <Member key={`${one.clinic.clinic_id} ${one.integration.id}`} of={one} />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

function Member({ of: { clinic, integration } }: { of: InClinic }) {
  const { clinics: words } = usePeopleWords().pairings
  const { integrations } = useIntegrationWords()
  const times = useTimes()
  const { columns } = words
  const address = PLACES.integrations + searchOf(integration.id)
  return (
    <Table.Tr>
      <Table.Td data-name="name">
        <Anchor
          href={address}
          underline="always"
          aria-label={words.open(integration.name, clinic.name)}
          // Another tab would show the clinic that was signed in to.
          onClick={(event) => {
            event.preventDefault()
            moveTo(addressOf(clinic), address)
          }}
        >
          <bdi>{clinic.name}</bdi>
        </Anchor>
      </Table.Td>
      <Table.Td data-label={columns.state}>
        <IntegrationBadge integration={integration} />
      </Table.Td>
      <Table.Td data-label={columns.used}>
        {integration.last_used_at === null ? integrations.never : times.moment(integration.last_used_at)}
      </Table.Td>
      <Table.Td data-label={columns.patients}>{integrations.number(integration.patients_read_today)}</Table.Td>
    </Table.Tr>
  )
}
