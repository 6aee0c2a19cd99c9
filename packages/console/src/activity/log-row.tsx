// One row of the log. Its details open below it. Of plain elements: a page draws fifty at once, within a few frames.

import type { ActivityRow } from '@clinic-data/console-parts/api'
import { ActorName } from '@clinic-data/console-parts/shown/actor-name'
import { DownIcon } from '@clinic-data/console-parts/shown/icons'
import type { Words } from '@clinic-data/console-words/en'
import { useWords } from '@clinic-data/console-words/language'
import { useOperationWords } from '@clinic-data/console-words/operation-words'
import { memo, useId, useState } from 'react'
import { LogDetails, useRefusal } from './log-details.tsx'
import type { Filters } from './use-activity.ts'

/** Known ones in words, others by their id. */
function useOperation(id: string): string {
  const operations = useOperationWords()
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
            <span className="who">
              <ActorName who={row.who} />
            </span>
            <div className="way">{wayOf(row, activity)}</div>
          </div>
        </td>
        <td data-label={columns.what}>{what}</td>
        <td data-label={columns.resources}>
          <Resources row={row} />
        </td>
        <td data-label={columns.result}>
          <Result row={row} />
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
            <LogDetails row={row} filters={filters} />
          </td>
        )}
      </tr>
    </>
  )
}

/** The watch comes through nothing. */
function wayOf({ who, surface }: ActivityRow, { commandLine, surfaces, views }: Words['activity']): string {
  if (who.kind === 'watch') return views.alerts
  return who.kind === 'operator' ? commandLine : surfaces[surface]
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

function Result({ row }: { row: ActivityRow }) {
  const { outcomes } = useWords().activity
  const why = useRefusal(row)
  const outcome = row.status < 400 ? 'done' : row.status < 500 ? 'refused' : 'failed'
  return (
    <div>
      <span className="result" data-outcome={outcome}>
        {outcomes[outcome]}
      </span>
      {why !== null && <div className="way">{why}</div>}
    </div>
  )
}
