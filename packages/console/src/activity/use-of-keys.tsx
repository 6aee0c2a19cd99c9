// How much the keys are used: requests, errors and durations as charts, and a table by key with its use of the rate limit.

import { api, type QueryOf, type Usage } from '@clinic-data/console-parts/api'
import { Chart } from '@clinic-data/console-parts/charts/chart'
import { ActorName, actorText } from '@clinic-data/console-parts/shown/actor-name'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Card, NativeSelect, Progress, SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PlaceLink, useSearch } from '../places.tsx'

const CHART_HEIGHT = 220
const WATCH_MS = 30_000
/** Then the limit deserves attention. */
const NEAR_LIMIT = 0.8

type Period = NonNullable<QueryOf<'usage'>['period']>

export function UseOfKeys() {
  const words = useWords()
  const { use } = words.activity
  const [{ period: wanted, key }, show] = useSearch()
  const period: Period = wanted === 'week' || wanted === 'month' ? wanted : 'day'
  const client = useQueryClient()
  const queryKey = ['usage', period, key]
  const usage = useQuery({
    queryKey,
    queryFn: () => api.usage({ period, ...(key && { key_id: key }) }, client.getQueryData(queryKey) !== undefined),
    refetchInterval: WATCH_MS,
    placeholderData: keepPreviousData,
  })
  const choose = (next: { period?: string; key?: string | undefined }) => show({ view: 'use', period, key, ...next })
  return (
    <Stack gap="lg">
      <div className="use-choices">
        <SegmentedControl
          aria-label={use.period}
          value={period}
          onChange={(next) => choose({ period: next })}
          data={(['day', 'week', 'month'] as const).map((value) => ({ value, label: use.periods[value] }))}
        />
        <NativeSelect
          aria-label={use.key}
          value={key ?? ''}
          onChange={({ currentTarget: { value } }) => choose({ key: value })}
        >
          <option value="">{use.all}</option>
          {usage.data?.keys.map(({ who }) => (
            <option key={who.id} value={who.id}>
              {actorText(who, words)}
            </option>
          ))}
        </NativeSelect>
      </div>
      {usage.data === undefined && !usage.error && <Skeleton height={420} radius="md" aria-hidden="true" />}
      <Failure error={usage.error} onRetry={() => usage.refetch()} />
      {usage.data && (usage.data.keys.length === 0 ? <Unused /> : <Used usage={usage.data} period={period} />)}
    </Stack>
  )
}

function Used({ usage, period }: { usage: Usage; period: Period }) {
  const { activity } = useWords()
  const times = useTimes()
  const { use } = activity
  const points = usage.series.map(({ at, requests, refusals, failures, p50_ms, p99_ms }) => ({
    name: usage.step === 'hour' ? times.clock(Date.parse(at)) : times.shortDay(at),
    done: requests - refusals,
    refused: refusals - failures,
    failed: failures,
    p50: p50_ms,
    p99: p99_ms,
  }))
  return (
    <>
      <div className="charts">
        <ChartCard title={use.requests} text={use.requestsText}>
          <Chart
            kind="stacked"
            label={use.requests}
            points={points}
            series={[
              { key: 'done', name: use.done, tone: 'main' },
              { key: 'refused', name: use.refused, tone: 'quiet' },
              { key: 'failed', name: use.failed, tone: 'bad' },
            ]}
            shown={use.number}
            height={CHART_HEIGHT}
          />
        </ChartCard>
        <ChartCard title={use.times} text={use.timesText}>
          <Chart
            kind="lines"
            label={use.times}
            points={points}
            series={[
              { key: 'p50', name: use.p50, tone: 'main' },
              { key: 'p99', name: use.p99, tone: 'bad' },
            ]}
            shown={activity.milliseconds}
            height={CHART_HEIGHT}
          />
        </ChartCard>
      </div>
      <KeyUse keys={usage.keys} period={period} />
    </>
  )
}

function ChartCard({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      {children}
    </Card>
  )
}

function KeyUse({ keys, period }: { keys: Usage['keys']; period: Period }) {
  const { activity } = useWords()
  const { columns, number, keys: label } = activity.use
  const within = (ms: number | null) => (ms === null ? '–' : activity.milliseconds(ms))
  return (
    <Card withBorder padding={0}>
      <Table className="log use" aria-label={label} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {Object.entries(columns).map(([name, text]) => (
              <Table.Th key={name}>{text}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map(({ who, ...used }) => (
            <Table.Tr key={who.id}>
              <Table.Td data-name="when">
                <PlaceLink to="activity" search={`?${new URLSearchParams({ view: 'use', period, key: who.id })}`}>
                  <ActorName who={who} />
                </PlaceLink>
              </Table.Td>
              <Table.Td data-label={columns.requests}>{number(used.requests)}</Table.Td>
              <Table.Td data-label={columns.refused}>{number(used.refusals - used.failures)}</Table.Td>
              <Table.Td data-label={columns.failed}>{number(used.failures)}</Table.Td>
              <Table.Td data-label={columns.p50}>{within(used.p50_ms)}</Table.Td>
              <Table.Td data-label={columns.p99}>{within(used.p99_ms)}</Table.Td>
              <Table.Td data-label={columns.limit}>
                <Limit most={used.busiest_minute} limit={used.rate_limit} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

function Limit({ most, limit }: { most: number; limit: number | null }) {
  const { use } = useWords().activity
  if (limit === null) return use.noLimit(most)
  const share = most / limit
  return (
    <div className="limit">
      {use.limit(most, limit)}
      <Progress
        size="xs"
        value={Math.min(100, share * 100)}
        color={share >= NEAR_LIMIT ? 'red' : 'indigo'}
        aria-hidden="true"
      />
    </div>
  )
}

function Unused() {
  const { use } = useWords().activity
  return (
    <Card withBorder>
      <Stack gap={4} align="center" ta="center" py={40}>
        <Title order={2} size="h4">
          {use.none}
        </Title>
        <Text c="dimmed">{use.noneText}</Text>
      </Stack>
    </Card>
  )
}
