// The clinic's branches, as its own systems sent them.

import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Card, Skeleton, Table, Text, Title } from '@mantine/core'
import { useBranches } from './catalog.ts'

export function BranchesCard() {
  const { clinic } = useWords()
  const branches = useBranches()
  return (
    <Card withBorder padding={0} component="section" aria-label={clinic.branches}>
      <Title order={2} size="h4" px="lg" pt="lg" pb="sm">
        {clinic.branches}
      </Title>
      <Failure error={branches.error} onRetry={() => branches.refetch()} />
      {branches.isPending && <Skeleton height={80} m="lg" w="auto" aria-hidden="true" />}
      {branches.data?.length === 0 && (
        <Text c="dimmed" px="lg" pb="lg">
          {clinic.noBranches}
        </Text>
      )}
      {branches.data && branches.data.length > 0 && (
        <div className="clinic-scroll">
          <Table className="clinic-table" verticalSpacing="sm" aria-label={clinic.branches}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{clinic.columns.name}</Table.Th>
                <Table.Th>{clinic.columns.city}</Table.Th>
                <Table.Th>{clinic.columns.phone}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {branches.data.map(({ id, name, phone, address }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <bdi>{name}</bdi>
                    <bdi className="clinic-id">{id}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <bdi>{address?.city ?? '–'}</bdi>
                  </Table.Td>
                  <Table.Td>{phone === null ? '–' : <bdi dir="ltr">{phone}</bdi>}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Card>
  )
}
