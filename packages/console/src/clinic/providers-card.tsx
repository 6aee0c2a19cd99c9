// The clinic's providers and their weeks.

import { api, type WorkingHours } from '@clinic-data/console-parts/api'
import { useSession } from '@clinic-data/console-parts/session'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { weekdayName } from '../weekday-name.ts'
import { useBranches, useProviders } from './catalog.ts'
import { daysAlike } from './working-week.ts'

/** A large clinic's list is drawn in steps. */
const STEP = 50

export function ProvidersCard() {
  const { clinic } = useWords()
  const providers = useProviders()
  const hours = useQuery({ queryKey: ['working-hours'], queryFn: api.workingHours })
  const ofProvider = useMemo(() => Map.groupBy(hours.data ?? [], ({ provider_id }) => provider_id), [hours.data])
  const [most, setMost] = useState(STEP)
  const shown = providers.data?.slice(0, most) ?? []
  return (
    <Card withBorder padding={0} component="section" aria-label={clinic.providers}>
      <div className="clinic-head">
        <CardHead title={clinic.providers} text={clinic.providersText} />
      </div>
      <Failure error={providers.error ?? hours.error} onRetry={() => [providers.refetch(), hours.refetch()]} />
      {(providers.isPending || hours.isPending) && <Skeleton height={120} m="lg" w="auto" aria-hidden="true" />}
      {providers.data?.length === 0 && (
        <Text c="dimmed" px="lg" pb="lg">
          {clinic.noProviders}
        </Text>
      )}
      {hours.data && shown.length > 0 && (
        <div className="clinic-scroll">
          <Table className="clinic-table stacked" verticalSpacing="sm" aria-label={clinic.providers}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{clinic.columns.name}</Table.Th>
                <Table.Th>{clinic.columns.hours}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ id, name, type }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <bdi>{name}</bdi>
                    <Text size="xs" c="dimmed">
                      <bdi>{type}</bdi>
                    </Text>
                    <bdi className="clinic-id">{id}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <Week windows={ofProvider.get(id) ?? []} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {shown.length < (providers.data?.length ?? 0) && (
        <Group justify="center" p="md">
          <Button size="xs" variant="default" onClick={() => setMost(most + STEP)}>
            {clinic.more}
          </Button>
        </Group>
      )}
    </Card>
  )
}

function Week({ windows }: { windows: readonly WorkingHours[] }) {
  const { clinic, locale } = useWords()
  const { week_start } = useSession().clinic
  const branches = useBranches()
  const name = (day: number) => weekdayName(locale, day, 'short')
  if (windows.length === 0) return <Text c="dimmed">{clinic.noHours}</Text>
  return [...Map.groupBy(windows, ({ branch_id }) => branch_id)].map(([branch, ofBranch]) => (
    <div key={branch} className="week">
      <bdi className="week-branch">{branches.data?.find(({ id }) => id === branch)?.name ?? branch}</bdi>
      {daysAlike(ofBranch, week_start === 'sunday' ? 0 : 1).map(({ first, last, hours }) => (
        <div key={first} className="week-days">
          <span>{first === last ? name(first) : `${name(first)} – ${name(last)}`}</span>
          <span className="week-hours">
            {hours.map((window) => (
              <bdi key={window} dir="ltr">
                {window}
              </bdi>
            ))}
          </span>
        </div>
      ))}
    </div>
  ))
}
