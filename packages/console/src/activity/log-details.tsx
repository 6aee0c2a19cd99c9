// The details of a row of the log: whose data it was about, and why it was refused.

import type { ActivityRow } from '@clinic-data/console-parts/api'
import { useWords } from '@clinic-data/console-words/language'
import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { RecordLink } from '../belonging/record-link.tsx'
import { PlaceLink } from '../places.tsx'
import { useOpenPlaces } from '../roles.ts'
import { refusalText } from './refusal-text.ts'
import type { Filters } from './use-activity.ts'

export const useRefusal = (row: ActivityRow) => refusalText(row, useWords())

export function LogDetails({ row, filters }: { row: ActivityRow; filters: Filters }) {
  const { activity, webhooks } = useWords()
  const { details } = activity
  const { patient_ids, patient_count, resource_ids, count, required_scope, duration_ms } = row
  const why = useRefusal(row)
  // An export names its form, its filter and seals: no other row does.
  const namesRecords = row.operation !== 'console.activity.export'
  return (
    <dl className="details">
      <Detail name={details.patients} isWide>
        {patient_ids === null ? (
          details.recordsOnly
        ) : (
          <Ids ids={patient_ids} count={patient_count ?? 0} filters={filters} by="patient_id" />
        )}
      </Detail>
      <Detail name={details.ids} isWide>
        <Ids ids={resource_ids} count={count} filters={filters} by={namesRecords ? 'resource_id' : null} />{' '}
        {row.who.kind === 'webhook' && <DeliveriesLink webhook={row.who.id} record={resource_ids[0]} />}{' '}
        {namesRecords && resource_ids.length === 1 && (
          <RecordLink record={resource_ids[0] ?? ''}>{webhooks.record.link}</RecordLink>
        )}
      </Detail>
      {why !== null && <Detail name={details.why}>{why}</Detail>}
      {required_scope !== null && (
        <Detail name={details.scope}>
          <Code dir="ltr">{required_scope}</Code>
        </Detail>
      )}
      <Detail name={details.operation}>
        <Code dir="ltr">{row.operation}</Code>
      </Detail>
      <Detail name={details.status}>
        <bdi dir="ltr">{row.status}</bdi>
      </Detail>
      <Detail name={details.duration}>
        {duration_ms === null ? activity.unknown : activity.milliseconds(duration_ms)}
      </Detail>
      <Detail name={details.address}>
        <Code dir="ltr">{row.address}</Code>
      </Detail>
      <Detail name={details.request}>
        <Code dir="ltr">{row.request_id}</Code>
      </Detail>
    </dl>
  )
}

interface IdsProps {
  ids: readonly string[]
  count: number
  filters: Filters
  /** The filter of their links. Null: they are none. */
  by: 'patient_id' | 'resource_id' | null
}

/** Each leads to the rows that name it. */
function Ids({ ids, count, filters, by }: IdsProps) {
  const { activity } = useWords()
  const { details } = activity
  if (ids.length === 0) return details.noIds
  return (
    <span className="ids">
      {ids.map((id) =>
        by === null ? (
          <Code key={id} dir="ltr">
            {id}
          </Code>
        ) : (
          <span key={id} title={activity.onlyThis(id)}>
            <PlaceLink to="activity" search={`?${new URLSearchParams({ ...filters, [by]: id })}`}>
              <Code dir="ltr">{id}</Code>
            </PlaceLink>
          </span>
        ),
      )}
      {count > ids.length && details.moreIds(count - ids.length)}
    </span>
  )
}

/** From what was delivered to how it arrived. */
function DeliveriesLink({ webhook, record }: { webhook: string; record: string | undefined }) {
  const { details } = useWords().activity
  if (!useOpenPlaces().mayOpen('webhooks')) return null
  const search = new URLSearchParams({ webhook, ...(record !== undefined && { record }) })
  return (
    <PlaceLink to="webhooks" search={`?${search}`}>
      {details.deliveries}
    </PlaceLink>
  )
}

function Detail({ name, isWide, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={isWide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
