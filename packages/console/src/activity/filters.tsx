// The filters of the activity. They stand in the address, so that a search can be shared.

import { type Actor, api } from '@clinic-data/console-parts/api'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { actorText } from '@clinic-data/console-parts/shown/actor-name'
import { DayField } from '@clinic-data/console-parts/shown/day-field'
import { IdField } from '@clinic-data/console-parts/shown/id-field'
import { useWords } from '@clinic-data/console-words/language'
import { type OperationWords, useOperationWords } from '@clinic-data/console-words/operation-words'
import { Anchor, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMay } from '../roles.ts'
import { PatientFilter } from './patient-filter.tsx'
import { type Filters as ChosenFilters, EVERYTHING } from './use-activity.ts'

const MINUTE_MS = 60_000
/** The ids of integrations begin with it. */
const INTEGRATION_ID = 'int_'

interface FiltersProps {
  filters: ChosenFilters
  onFilter: (filters: ChosenFilters) => void
}

export function Filters({ filters, onFilter }: FiltersProps) {
  const words = useWords()
  const operations = useOperationWords()
  const { activity, locale } = words
  const { from = '', to = '' } = filters
  const actors = useQuery({ queryKey: ['actors'], queryFn: api.listActors, staleTime: MINUTE_MS })
  const administrators = actors.data?.filter(({ kind }) => kind === 'administrator')
  const chosen = (name: keyof ChosenFilters) => ({
    value: filters[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      const isOfConsole = /^(?:console|connect)\./.test(value) || administrators?.some(({ id }) => id === value)
      const { integration: _, ...others } = filters
      onFilter({
        ...(name === 'actor' ? others : filters),
        [name]: value,
        ...(isOfConsole && !filters.surface && { surface: EVERYTHING }),
      })
    },
  })
  const integrations = useQuery({
    queryKey: [...INTEGRATIONS, 'list'],
    queryFn: () => api.listIntegrations(false),
    enabled: useMay()('listIntegrations'),
    staleTime: MINUTE_MS,
  })
  const { onChange: chooseActor } = chosen('actor')
  const who = {
    value: filters.integration ?? filters.actor ?? '',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { actor: _, integration: __, ...others } = filters
      const { value } = event.currentTarget
      if (value.startsWith(INTEGRATION_ID)) onFilter({ ...others, integration: value })
      else chooseActor(event)
    },
  }
  const outcomes = Object.entries(activity.outcomes)
  const listed = useMemo(() => named(operations, filters.operation, locale), [operations, filters.operation, locale])
  return (
    <search className="activity-filters" aria-label={activity.filters}>
      <PatientFilter
        patient_id={filters.patient_id ?? ''}
        onChoose={(patient_id) => onFilter({ ...filters, patient_id })}
      />
      <NativeSelect label={activity.who} {...who}>
        <option value="">{activity.anyone}</option>
        <Integrations integrations={integrations.data ?? []} chosen={filters.integration} />
        <Actors actors={actors.data ?? []} chosen={filters.actor} />
      </NativeSelect>
      <NativeSelect label={activity.what} {...chosen('operation')}>
        <option value="">{activity.anything}</option>
        {listed.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <IdField
        key={filters.resource_id}
        label={activity.resource}
        hint={activity.resourceHint}
        id={filters.resource_id ?? ''}
        onChoose={(resource_id) => onFilter({ ...filters, resource_id })}
      />
      <NativeSelect
        label={activity.outcome}
        {...chosen('outcome')}
        data={[{ value: '', label: activity.any }, ...outcomes.map(([value, label]) => ({ value, label }))]}
      />
      <NativeSelect
        label={activity.surface}
        {...chosen('surface')}
        data={[
          { value: '', label: activity.integrations },
          { value: EVERYTHING, label: activity.everything },
          ...Object.entries(activity.surfaces).map(([value, label]) => ({ value, label })),
        ]}
      />
      <DayField label={activity.from} day={from} onChoose={(day) => onFilter({ ...filters, from: day })} />
      <DayField
        label={activity.to}
        day={to}
        fault={to !== '' && from > to && words.explore.faults.range.reversed}
        onChoose={(day) => onFilter({ ...filters, to: day })}
      />
      {Object.keys(filters).length > 0 && (
        <Anchor component="button" type="button" size="sm" className="clear" onClick={() => onFilter({})}>
          {activity.clear}
        </Anchor>
      )}
    </search>
  )
}

interface IntegrationsProps {
  integrations: readonly { id: string; name: string }[]
  chosen: string | undefined
}

/** Whoever is stored in an address and not listed is shown by its id. */
function Integrations({ integrations, chosen }: IntegrationsProps) {
  const { pages } = useWords()
  const isListed = chosen === undefined || integrations.some(({ id }) => id === chosen)
  const listed = isListed ? integrations : [...integrations, { id: chosen, name: chosen }]
  if (listed.length === 0) return null
  return (
    <optgroup label={pages.integrations}>
      {listed.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  )
}

function Actors({ actors, chosen }: { actors: readonly Actor[]; chosen: string | undefined }) {
  const words = useWords()
  const isListed = chosen === undefined || actors.some(({ id }) => id === chosen)
  const listed = isListed
    ? actors
    : [...actors, { id: chosen, name: null, kind: 'unknown' as const, connected_by: null }]
  return [...Map.groupBy(listed, ({ kind }) => kind)].map(([kind, some]) => (
    <optgroup key={kind} label={words.activity.kinds[kind]}>
      {some.map((actor) => (
        <option key={actor.id} value={actor.id}>
          {actorText(actor, words)}
        </option>
      ))}
    </optgroup>
  ))
}

function named(operations: OperationWords, chosen: string | undefined, locale: string): [id: string, name: string][] {
  const known: [string, string][] = Object.entries(operations)
  const all = chosen === undefined || chosen in operations ? known : [...known, [chosen, chosen] as [string, string]]
  return all.sort(([, a], [, b]) => a.localeCompare(b, locale))
}
