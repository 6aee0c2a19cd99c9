// The conditions of a question: a field, "is" or "is not", and values to choose from, which come from the clinic's own records.

import { CrossIcon, PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { ActionIcon, Button, Group, Input, MultiSelect, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { shownValue } from './charted.ts'
import { type Condition, type Descriptor, type Question, rangeOf } from './question.ts'
import type { QuestionFaults } from './question-faults.ts'
import { useShownFigures } from './shown-figures.ts'

interface ConditionsProps {
  question: Question
  descriptor: Descriptor
  faults: QuestionFaults['conditions']
  onChange: (where: readonly Condition[]) => void
}

/** As many as a person chooses from. Others are found by a filter of another program. */
const MOST_VALUES = 1_000

export function Conditions({ question, descriptor, faults, onChange }: ConditionsProps) {
  const { explore } = useWords()
  const { where } = question
  const fields = descriptor.filters.filter(({ type }) => type !== 'date')
  const free = fields.find(({ name }) => where.every(({ field }) => field !== name))
  const change = (at: number, next: Condition | null) =>
    onChange(where.flatMap((one, place) => (place === at ? (next ?? []) : one)))
  if (fields.length === 0) return null
  return (
    <fieldset className="question-part">
      <Input.Label component="legend">{explore.where}</Input.Label>
      <Stack gap="xs" mt={6}>
        {where.map((condition, at) => (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no other name than its place
            key={at}
            {...{ condition, descriptor, question }}
            fault={faults.get(at)}
            onChange={(next) => change(at, next)}
          />
        ))}
        {free && (
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<PlusIcon size={14} />}
              onClick={() => onChange([...where, emptyCondition(free)])}
            >
              {explore.addCondition}
            </Button>
          </div>
        )}
      </Stack>
    </fieldset>
  )
}

type Filter = Descriptor['filters'][number]

const emptyCondition = ({ name, type }: Filter): Condition => ({
  field: name,
  op: type === 'boolean' ? 'eq' : 'in',
  values: type === 'boolean' ? ['true'] : [],
})

interface RowProps {
  condition: Condition
  question: Question
  descriptor: Descriptor
  fault: string | undefined
  onChange: (next: Condition | null) => void
}

function ConditionRow({ condition, question, descriptor, fault, onChange }: RowProps) {
  const { explore } = useWords()
  const shown = useShownFigures()
  const filters = descriptor.filters.filter(({ type }) => type !== 'date')
  const filter = filters.find(({ name }) => name === condition.field)
  const name = shown.dimension(descriptor.name, condition.field)
  const unknown = filter ? [] : [{ value: condition.field, label: condition.field }]
  return (
    <div>
      <Group gap="xs" align="flex-start" className="condition">
        <NativeSelect
          aria-label={explore.field}
          value={condition.field}
          onChange={({ currentTarget: { value } }) => {
            const next = filters.find((one) => one.name === value)
            if (next) onChange(emptyCondition(next))
          }}
          data={[
            ...unknown,
            ...filters.map((one) => ({ value: one.name, label: shown.dimension(descriptor.name, one.name) })),
          ]}
        />
        {filter?.type === 'boolean' ? (
          <NativeSelect
            aria-label={explore.valuesOf(name)}
            value={condition.values[0] ?? 'true'}
            onChange={({ currentTarget }) => onChange({ ...condition, op: 'eq', values: [currentTarget.value] })}
            data={['true', 'false'].map((value) => ({ value, label: shown.value(condition.field, value, 'day') }))}
          />
        ) : (
          <>
            <NativeSelect
              aria-label={explore.operator}
              value={condition.op === 'not_in' ? 'not_in' : 'in'}
              onChange={({ currentTarget: { value } }) =>
                onChange({ ...condition, op: value === 'not_in' ? 'not_in' : 'in' })
              }
              data={[
                { value: 'in', label: explore.is },
                { value: 'not_in', label: explore.isNot },
              ]}
            />
            <Values {...{ condition, question, descriptor, filter, onChange }} label={explore.valuesOf(name)} />
          </>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={explore.removeCondition(name)}
          onClick={() => onChange(null)}
        >
          <CrossIcon size={16} />
        </ActionIcon>
      </Group>
      {fault && <Input.Error mt={4}>{fault}</Input.Error>}
    </div>
  )
}

type ValuesProps = Omit<RowProps, 'fault'> & { filter: Filter | undefined; label: string }

function Values({ condition, question, descriptor, filter, label, onChange }: ValuesProps) {
  const { explore } = useWords()
  const choices = useChoices(question, descriptor, filter)
  const known = new Set(choices.map(({ value }) => value))
  const others = condition.values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))
  return (
    <MultiSelect
      className="condition-values"
      aria-label={label}
      placeholder={condition.values.length === 0 ? explore.choose : ''}
      value={[...condition.values]}
      onChange={(values) => onChange({ ...condition, op: condition.op === 'not_in' ? 'not_in' : 'in', values })}
      data={[...choices, ...others]}
      limit={100}
      searchable
      hidePickedOptions
      nothingFoundMessage={explore.noValues}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
    />
  )
}

/** The values that the registry names, or else those that occur in the question's range, by how often. */
function useChoices(question: Question, descriptor: Descriptor, filter: Filter | undefined) {
  const shown = useShownFigures()
  const { name: dataset, measures, date_filter } = descriptor
  const field = filter?.name ?? ''
  const measure = measures[0]?.name ?? ''
  const filters = rangeOf(question, date_filter)
  const occurring = useQuery({
    queryKey: ['values', dataset, field, filters],
    enabled: filter !== undefined && filter.values === undefined,
    staleTime: 60_000,
    retry: false,
    queryFn: ({ signal }) =>
      v1('query.run', {
        signal,
        body: {
          dataset: dataset as 'production',
          measures: [measure],
          dimensions: [field],
          filters,
          limit: MOST_VALUES,
          order: [{ by: measure, dir: 'desc' }],
        },
      }),
  })
  if (filter?.values !== undefined)
    return filter.values.map((value) => ({ value, label: shown.value(field, value, 'day') }))
  const rows = occurring.data?.data.rows ?? []
  const by = { field, grain: null }
  return rows
    .filter((row) => row[field] !== null)
    .map((row) => ({ value: String(row[field]), label: shownValue(row, by, shown) }))
}
