// From where a key, a connection or an integration asked, as a table.
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import { Card, Table, Text, Title } from '@mantine/core'
import { useTimes } from '../times.ts'

interface AddressesProps {
  addresses: readonly { address: string; last_at: string; requests: number; refused: number }[]
}

export function Addresses({ addresses }: AddressesProps) {
  const { keys, activity } = useWords()
  const { connections: words } = useAppWords()
  const times = useTimes()
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {words.addresses}
      </Title>
      <Card withBorder padding={addresses.length === 0 ? 'lg' : 0}>
        {addresses.length === 0 ? (
          <Text c="dimmed">{words.noAddresses}</Text>
        ) : (
          <Table className="keys" aria-label={words.addresses} verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{activity.details.address}</Table.Th>
                <Table.Th>{words.columns.used}</Table.Th>
                <Table.Th>{words.requests}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {addresses.map(({ address, last_at, requests, refused }) => (
                <Table.Tr key={address}>
                  <Table.Td data-name="name">
                    <bdi dir="ltr" className="broken-anywhere">
                      {address}
                    </bdi>
                  </Table.Td>
                  <Table.Td data-label={words.columns.used}>{times.moment(last_at)}</Table.Td>
                  <Table.Td data-label={words.requests}>
                    {keys.requests(requests)}
                    {refused > 0 && `, ${words.refused(refused)}`}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Card>
    </section>
  )
}
