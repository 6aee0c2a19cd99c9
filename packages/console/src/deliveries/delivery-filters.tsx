// The filters of the deliveries. They stand in the address, so that a search can be shared.

import { DayField } from '@clinic-data/console-parts/shown/day-field'
import { IdField } from '@clinic-data/console-parts/shown/id-field'
import { useWords } from '@clinic-data/console-words/language'
import type { EventType } from '@clinic-data/contract/event-types'
import { Anchor, NativeSelect } from '@mantine/core'
import { PatientFilter } from '../activity/patient-filter.tsx'
import { type Search, useSearch } from '../places.tsx'
import { useMay } from '../roles.ts'
import type { Delivery, Filters } from './use-deliveries.ts'

const STATUSES = ['delivered', 'failed', 'pending'] as const satisfies readonly Delivery['status'][]
const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads the filters that an address asks for. Anything else is no filter. */
export function filtersOf(search: Search, types: Readonly<Record<string, string>>): Filters {
  const { type, from = '', to = '', patient, record } = search
  const status = STATUSES.find((one) => one === search.status)
  return {
    ...(status && { status }),
    ...(type !== undefined && Object.hasOwn(types, type) && { event_type: type as EventType }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
    ...(patient && { patient_id: patient }),
    ...(record && { record_id: record }),
  }
}

export function DeliveryFilters() {
  const { webhooks, explore } = useWords()
  const { deliveries, types } = webhooks
  const [search, setSearch] = useSearch()
  const maySearch = useMay()('findDeliveries')
  const { webhook, delivery, ...filters } = search
  const { from = '', to = '' } = filters
  const chosen = (name: string) => ({
    value: search[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setSearch({ ...search, [name]: value }),
  })
  return (
    <search className="delivery-filters" aria-label={deliveries.filters}>
      {maySearch && (
        <>
          <PatientFilter patient_id={search.patient ?? ''} onChoose={(patient) => setSearch({ ...search, patient })} />
          <IdField
            key={search.record}
            label={deliveries.record}
            hint={deliveries.recordHint}
            id={search.record ?? ''}
            onChoose={(record) => setSearch({ ...search, record })}
          />
        </>
      )}
      <NativeSelect label={deliveries.status} {...chosen('status')}>
        <option value="">{deliveries.anyStatus}</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {deliveries.statuses[one]}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect label={deliveries.type} {...chosen('type')}>
        <option value="">{deliveries.anyType}</option>
        {Object.entries(types).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <DayField label={deliveries.from} day={from} onChoose={(day) => setSearch({ ...search, from: day })} />
      <DayField
        label={deliveries.to}
        day={to}
        fault={to !== '' && from > to && explore.faults.range.reversed}
        onChoose={(day) => setSearch({ ...search, to: day })}
      />
      {Object.keys(filters).length > 0 && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className="clear"
          onClick={() => setSearch({ webhook, delivery })}
        >
          {deliveries.clear}
        </Anchor>
      )}
    </search>
  )
}
