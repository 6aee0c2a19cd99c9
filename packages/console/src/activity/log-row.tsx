// One row of the log, and its details, which open below it. Of plain elements: a page draws fifty at once, within a few frames.
import { Code } from '@mantine/core'
import { memo, type ReactNode, useId, useState } from 'react'
import type { ActivityRow } from '../api.ts'
import { PlaceLink } from '../places.tsx'
import { DownIcon } from '../shown/icons.tsx'
import { useWords } from '../words/language.tsx'
import type { Filters } from './use-activity.ts'

/** Known ones in words, others by their id. */
function useOperation(id: string): string {
  const { operations } = useWords()
  return operations[id as keyof typeof operations] ?? id
}

interface LogRowProps {
  row: ActivityRow
  /** Its time, as the reader sees it. */
  when: string
  filters: Filters
}

/** Drawn again only when it changes: a list may hold thousands. */
export const LogRow = memo(Row, (before, after) => before.row === after.row && before.when === after.when)

function Row({ row, when, filters }: LogRowProps) {
  const { activity } = useWords()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const what = useOperation(row.operation)
  const { columns } = activity
  return (
    <>
      <tr className="log-row" data-open={isOpen || undefined}>
        <td data-name="when">
          <time dateTime={row.at}>{when}</time>
        </td>
        <td data-label={columns.who}>
          <div>
            <bdi className="who">{row.who.name ?? row.who.id}</bdi>
            <div className="way">
              {row.who.kind === 'operator' ? activity.commandLine : activity.surfaces[row.surface]}
            </div>
          </div>
        </td>
        <td data-label={columns.what}>{what}</td>
        <td data-label={columns.resources}>
          <Resources row={row} />
        </td>
        <td data-label={columns.result}>
          <Result status={row.status} />
        </td>
        <td data-name="open">
          <button
            type="button"
            className="open"
            aria-label={activity.detailsOf(what, when)}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <DownIcon />
          </button>
        </td>
      </tr>
      <tr id={id} className="log-details" hidden={!isOpen}>
        {isOpen && (
          <td colSpan={6}>
            <Details row={row} filters={filters} />
          </td>
        )}
      </tr>
    </>
  )
}

function Resources({ row: { resource_ids, count } }: { row: ActivityRow }) {
  const { activity } = useWords()
  const [only] = resource_ids
  if (only === undefined) return count === 0 ? '–' : activity.resources(count)
  if (resource_ids.length > 1) return activity.resources(Math.max(count, resource_ids.length))
  return (
    <code dir="ltr" className="one-id">
      {only}
    </code>
  )
}

function Result({ status }: { status: number }) {
  const { outcomes } = useWords().activity
  const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'failed'
  return (
    <span className="result" data-outcome={outcome}>
      {outcomes[outcome]}
    </span>
  )
}

function Details({ row, filters }: Omit<LogRowProps, 'when'>) {
  const { activity } = useWords()
  const { details } = activity
  const { resource_ids, count, duration_ms } = row
  const beyond = count - resource_ids.length
  return (
    <dl className="details">
      <Detail name={details.ids}>
        {resource_ids.length === 0 && details.noIds}
        <span className="ids">
          {resource_ids.map((id) => (
            <span key={id} title={activity.onlyThis(id)}>
              <PlaceLink to="activity" search={`?${new URLSearchParams({ ...filters, resource_id: id })}`}>
                <Code dir="ltr">{id}</Code>
              </PlaceLink>
            </span>
          ))}
          {resource_ids.length > 0 && beyond > 0 && details.moreIds(beyond)}
        </span>
      </Detail>
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

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
