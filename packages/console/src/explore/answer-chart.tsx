// The answer drawn: along an axis of time or hours as bars or lines, otherwise as ranked bars beside their names.

import { Chart } from '@clinic-data/console-parts/charts/chart'
import { useWords } from '@clinic-data/console-words/language'
import { Card, Group, NativeSelect, SegmentedControl, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useSearch } from '../places.tsx'
import { type Answered, axisOf, drawn, ranked, unitOf } from './charted.ts'
import type { By } from './question.ts'
import { useShownFigures } from './shown-figures.ts'

const HEIGHT = 260
const isKind = (text: string | undefined) => text === 'bars' || text === 'lines'

export function AnswerChart({ answered }: { answered: Answered }) {
  const { explore } = useWords()
  const shown = useShownFigures()
  const { answer, descriptor } = answered
  const [chosen, choose] = useState('')
  const measure = answer.measures.includes(chosen) ? chosen : (answer.measures[0] ?? '')
  const axis = axisOf(answered)
  if (answer.dimensions.length === 0 || answer.rows.length < 2) return null
  return (
    <Card withBorder padding="lg" component="section" aria-label={explore.chart}>
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} size="h4">
          {axis ? explore.chart : shown.measure(descriptor.name, measure)}
        </Title>
        <Group gap="sm">
          {answer.measures.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label={explore.charted}
              value={measure}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
              data={answer.measures.map((name) => ({ value: name, label: shown.measure(descriptor.name, name) }))}
            />
          )}
          {axis && <Kinds answered={answered} axis={axis} measure={measure} />}
        </Group>
      </Group>
      {axis ? (
        <AlongAxis answered={answered} axis={axis} measure={measure} />
      ) : (
        <RankedBars answered={answered} measure={measure} />
      )}
    </Card>
  )
}

interface AxisProps {
  answered: Answered
  axis: By
  measure: string
}

function useKind({ answered, axis, measure }: AxisProps) {
  const [search] = useSearch()
  const chart = drawn(answered, axis, measure, useShownFigures())
  return { ...chart, kind: isKind(search.chart) ? (search.chart as typeof chart.kind) : chart.kind }
}

function Kinds(props: AxisProps) {
  const { explore } = useWords()
  const [search, show] = useSearch()
  const { kind } = useKind(props)
  return (
    <SegmentedControl
      size="xs"
      aria-label={explore.chart}
      value={kind}
      onChange={(chart) => show({ ...search, chart }, true)}
      data={(['bars', 'lines'] as const).map((one) => ({ value: one, label: explore.kinds[one] }))}
    />
  )
}

function AlongAxis(props: AxisProps) {
  const { answered, axis, measure } = props
  const { explore } = useWords()
  const shown = useShownFigures()
  const { name } = answered.descriptor
  const unit = unitOf(answered.descriptor, measure)
  const { of, ...chart } = useKind(props)
  return (
    <>
      <Chart
        {...chart}
        label={explore.chartOf(shown.measure(name, measure), shown.dimension(name, axis.field))}
        shown={(value) => shown.figure(value, unit)}
        height={HEIGHT}
      />
      {of !== null && <Largest shown={chart.series.length} of={of} />}
    </>
  )
}

/** The table has the same figures for whoever cannot see the bars. */
function RankedBars({ answered, measure }: { answered: Answered; measure: string }) {
  const bars = ranked(answered, measure, useShownFigures())
  const { rows } = answered.answer
  return (
    <>
      <div className="ranked" aria-hidden="true">
        {bars.map(({ name, figure, share }, at) => (
          // Two may have one name.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
          <div key={at} className="ranked-row">
            <span className="ranked-name">
              <bdi>{name}</bdi>
            </span>
            <span className="ranked-track">
              <span className="ranked-bar" style={{ inlineSize: `${share * 100}%` }} />
            </span>
            <span className="ranked-figure">{figure}</span>
          </div>
        ))}
      </div>
      {rows.length > bars.length && <Largest shown={bars.length} of={rows.length} />}
    </>
  )
}

/** A chart of everything could not be read. The table has the rest. */
function Largest({ shown, of }: { shown: number; of: number }) {
  const { explore } = useWords()
  return (
    <Text size="xs" c="dimmed" mt="sm">
      {explore.largest(shown, of)}
    </Text>
  )
}
