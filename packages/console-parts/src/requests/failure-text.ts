// Words what a failed request says to the reader, in the language of the page.
import type { Words } from '@clinic-data/console-words/en'
import {
  hasStatus,
  isChangedMeanwhile,
  isUnapproved,
  isUnconfirmed,
  RefusedError,
  UnreachableError,
} from './refusal.ts'

/** The text for the whole form or page. Null: nothing failed, or fields show it already. */
export function failureText(error: unknown, words: Words, shownFields: readonly string[] = []): string | null {
  if (error === null || error === undefined) return null
  const { problem } = words
  if (error instanceof UnreachableError) return problem.unreachable
  if (!(error instanceof RefusedError)) return problem.unexpected
  if (shownFields.some((field) => field in error.faults)) return null
  if (error.status === 429) return problem.tooMany(Math.ceil((error.retryAfterSeconds ?? 60) / 60))
  if (hasStatus(error, 404)) return problem.gone
  if (isUnconfirmed(error)) return problem.unconfirmed
  if (isUnapproved(error)) return problem.unapproved
  if (isChangedMeanwhile(error)) return words.changed.closed
  if (hasStatus(error, 403)) return problem.forbidden
  if (error.status < 500) return Object.values(error.faults)[0] ?? problem.refused
  return [problem.unexpected, error.requestId && problem.reference(error.requestId)].filter(Boolean).join(' ')
}

/** The text for one field, or undefined. The service's own text is in English. */
export function faultText(error: unknown, field: string, words: Words): string | undefined {
  if (!(error instanceof RefusedError)) return undefined
  const detail = error.faults[field]
  const isTaken = error.placedFaults.some(({ place, code }) => place === `/${field}` && code === 'name_taken')
  if (isTaken) return words.forIntegration.taken
  return detail === undefined ? undefined : (words.faults[field] ?? detail)
}
