// Writes a question: the subject, what to count, how to split it, when, and under which conditions. Each change asks at once.

import { useSession } from '@clinic-data/console-parts/session'
import { DayField } from '@clinic-data/console-parts/shown/day-field'
import { useWords } from '@clinic-data/console-words/language'
import { Card, Chip, Group, Input, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { isTime } from './charted.ts'
import { Conditions } from './conditions.tsx'
import { namedRange, nameOfRange, RANGES, type RangeName, today } from './days.ts'
import { type By, type Descriptor, GRAINS, LIMITS, type Question, questionAbout } from './question.ts'
import type { QuestionFaults } from './question-faults.ts'
import { useShownFigures } from './shown-figures.ts'

interface QuestionFormProps {
  question: Question
  descriptor: Descriptor
  descriptors: readonly Descriptor[]
  faults: QuestionFaults
  onChange: (question: Question) => void
}

export function QuestionForm({ question, descriptor, descriptors, faults, onChange }: QuestionFormProps) {
  const { explore } = useWords()
  const shown = useShownFigures()
  const change = (part: Partial<Question>) => onChange(withoutLostOrder({ ...question, ...part }))
  const parts = { question, descriptor, onChange: change }
  const limits: readonly number[] = LIMITS
  return (
    <Card withBorder padding="lg" component="section" aria-label={explore.question} className="question">
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <NativeSelect
            label={explore.subject}
            value={descriptor.name}
            onChange={({ currentTarget: { value } }) => {
              const next = descriptors.find(({ name }) => name === value)
              if (next) onChange(questionAbout(next, question))
            }}
            data={descriptors.map(({ name }) => ({ value: name, label: shown.dataset(name) }))}
          />
          <NativeSelect
            label={explore.rows}
            value={String(question.limit)}
            error={faults.limit}
            onChange={({ currentTarget }) => change({ limit: Number(currentTarget.value) })}
            data={[...new Set([...limits, question.limit])].sort((a, b) => a - b).map(String)}
          />
        </SimpleGrid>
        <RangeField {...parts} fault={faults.range} />
        <Measures {...parts} fault={faults.measures} />
        <Dimensions {...parts} fault={faults.dimensions} />
        <Conditions {...{ question, descriptor }} faults={faults.conditions} onChange={(where) => change({ where })} />
      </Stack>
    </Card>
  )
}

/** An answer can be sorted only by what it holds. */
function withoutLostOrder(question: Question): Question {
  const { measures, by, order } = question
  const isKept = order !== null && (measures.includes(order.by) || by.some(({ field }) => field === order.by))
  return isKept ? question : { ...question, order: null }
}

interface PartProps {
  question: Question
  descriptor: Descriptor
  fault: string | undefined
  onChange: (part: Partial<Question>) => void
}

function RangeField({ question, descriptor, fault, onChange }: PartProps) {
  const { explore } = useWords()
  const { time_zone } = useSession().clinic
  const now = today(time_zone)
  const { from, to } = question
  const names = RANGES.filter((name) => name !== 'all' || !descriptor.requires_date_range)
  const known = nameOfRange({ from, to }, now)
  const value = known !== null && names.includes(known) ? known : 'own'
  return (
    <fieldset className="question-part" aria-label={explore.range}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <NativeSelect
          label={explore.range}
          value={value}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== 'own') onChange(namedRange(currentTarget.value as RangeName, now))
          }}
          data={[...names, 'own' as const].map((name) => ({ value: name, label: explore.ranges[name] }))}
        />
        <DayField label={explore.from} day={from} onChoose={(day) => onChange({ from: day })} />
        <DayField label={explore.to} day={to} onChoose={(day) => onChange({ to: day })} />
      </SimpleGrid>
      {fault && (
        <Input.Error mt={6} role="alert">
          {fault}
        </Input.Error>
      )}
    </fieldset>
  )
}

function Measures({ question, descriptor, fault, onChange }: PartProps) {
  const { explore } = useWords()
  const shown = useShownFigures()
  const { measures } = question
  return (
    <fieldset className="question-part">
      <Input.Label component="legend">{explore.measures}</Input.Label>
      <Group gap="xs" mt={6}>
        {descriptor.measures.map(({ name }) => (
          <Chip
            key={name}
            size="sm"
            variant="outline"
            checked={measures.includes(name)}
            onChange={(isChosen) =>
              onChange({ measures: isChosen ? [...measures, name] : measures.filter((one) => one !== name) })
            }
          >
            {shown.measure(descriptor.name, name)}
          </Chip>
        ))}
        <Strangers names={measures} known={descriptor.measures} onChange={(kept) => onChange({ measures: kept })} />
      </Group>
      {fault && (
        <Input.Error mt={6} role="alert">
          {fault}
        </Input.Error>
      )}
    </fieldset>
  )
}

function Dimensions({ question, descriptor, fault, onChange }: PartProps) {
  const { explore } = useWords()
  const shown = useShownFigures()
  const { by } = question
  const nameOf = (field: string) => shown.dimension(descriptor.name, field)
  const setGrain = (field: string, grain: By['grain']) =>
    onChange({ by: by.map((one) => (one.field === field ? { field, grain } : one)) })
  return (
    <fieldset className="question-part">
      <Input.Label component="legend">{explore.by}</Input.Label>
      <Group gap="xs" mt={6}>
        {descriptor.dimensions.map(({ name, kind }) => (
          <Chip
            key={name}
            size="sm"
            variant="outline"
            checked={by.some(({ field }) => field === name)}
            onChange={(isChosen) => {
              const added: By = { field: name, grain: kind === 'time' ? 'month' : null }
              onChange({ by: isChosen ? [...by, added] : by.filter(({ field }) => field !== name) })
            }}
          >
            {nameOf(name)}
          </Chip>
        ))}
        <Strangers
          names={by.map(({ field }) => field)}
          known={descriptor.dimensions}
          onChange={(kept) => onChange({ by: by.filter(({ field }) => kept.includes(field)) })}
        />
      </Group>
      {by.length === 0 && <Input.Description mt={6}>{explore.byHint}</Input.Description>}
      <Group gap="md" mt={by.some(({ field }) => isTime(descriptor, field)) ? 'sm' : 0}>
        {by
          .filter(({ field }) => isTime(descriptor, field))
          .map(({ field, grain }) => (
            <NativeSelect
              key={field}
              size="xs"
              label={explore.period(nameOf(field))}
              value={grain ?? 'day'}
              onChange={({ currentTarget }) => setGrain(field, currentTarget.value as (typeof GRAINS)[number])}
              data={GRAINS.map((one) => ({ value: one, label: explore.grains[one] }))}
            />
          ))}
      </Group>
      {fault && (
        <Input.Error mt={6} role="alert">
          {fault}
        </Input.Error>
      )}
    </fieldset>
  )
}

interface StrangersProps {
  names: readonly string[]
  known: readonly { name: string }[]
  onChange: (kept: string[]) => void
}

/** Names of an address that the subject does not have. A click takes one out. */
function Strangers({ names, known, onChange }: StrangersProps) {
  const strangers = new Set(names.filter((one) => known.every(({ name }) => name !== one)))
  return [...strangers].map((stranger) => (
    <Chip
      key={stranger}
      size="sm"
      variant="outline"
      color="red"
      checked
      onChange={() => onChange(names.filter((one) => one !== stranger))}
    >
      {stranger}
    </Chip>
  ))
}
