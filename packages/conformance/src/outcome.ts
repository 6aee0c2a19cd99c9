// Judges a reply by the readers that a gateway uses, so that the kit accepts exactly what a gateway accepts.
import { type OpenedFile, type Operation, type Position, Problem, type ProblemSlug } from '@clinic-data/contract'
import type { UnknownValues } from '@clinic-data/contract/page-meta'
import { readAnswer, UnusableAnswer } from '@clinic-data/contract/port-answer'
import { carriesFile, type FileHead, fileHead, fileRefusal } from '@clinic-data/contract/port-file-answer'
import type { Reply } from './port-caller.ts'
import { type Row, rowsOf } from './row.ts'

export interface Answered {
  kind: 'answered'
  data: unknown
  /** The rows of a list, or the one resource. */
  rows: readonly Row[]
  next: Position | null
  /** For a feed: the position up to which it has been read. */
  resume: Position | null
  meta: unknown
  /** The filters of an empty list that the backend calls ids of nothing. Null when it says nothing. */
  unknown_ids: readonly string[] | null
  /** The values of a query's filters that the backend calls ids of nothing. Null when it says nothing. */
  unknown_values: readonly UnknownValues[] | null
  /** For a write: 200 when the resource was there already. */
  status: number | undefined
  /** For a write: whether this repeats the answer to an earlier request with the same idempotency key. */
  replayed: boolean
}

/** A problem of the port, as the client will see it. */
export interface Refused {
  kind: 'refused'
  slug: ProblemSlug
  required_scope: string | undefined
  pointers: readonly string[]
}

/** A reply that a gateway cannot use. */
export interface Unusable {
  kind: 'unusable'
  why: string
}

export type CallOutcome = Answered | Refused | Unusable

const decoder = new TextDecoder('utf-8', { fatal: true })

export function outcomeOf(operation: Operation, { status: code, bytes }: Reply): CallOutcome {
  if (!isUtf8(bytes)) return { kind: 'unusable', why: `an answer that is not UTF-8 (status ${code})` }
  try {
    const value = readAnswer(operation)({ status: code, text: bytes.toString() })
    if (value instanceof Problem) return refused(value)
    const {
      data = null,
      next = null,
      resume = null,
      meta,
      unknown_ids = null,
      unknown_values = null,
      status,
      replayed = false,
    } = (value ?? {}) as Partial<Answered>
    const about = { meta, unknown_ids, unknown_values }
    return { kind: 'answered', data, rows: rowsOf(data), next, resume, ...about, status, replayed }
  } catch (error) {
    if (error instanceof UnusableAnswer) return { kind: 'unusable', why: error.message }
    throw error
  }
}

export type FileOutcome = Exclude<OpenedFile, { state: 'open' }> | OpenFile | { state: 'unusable'; why: string }

export interface OpenFile extends FileHead {
  bytes: Buffer
}

export function fileOutcomeOf({ status, headers, bytes }: Reply): FileOutcome {
  try {
    if (carriesFile(status)) return { ...fileHead(status, headers), bytes }
    const refused = fileRefusal({ status, text: bytes.toString() })
    return refused instanceof Problem ? { state: 'unusable', why: refused.slug } : refused
  } catch (error) {
    if (error instanceof UnusableAnswer) return { state: 'unusable', why: error.message }
    throw error
  }
}

export function isRefused(outcome: CallOutcome, slug: string): outcome is Refused {
  return outcome.kind === 'refused' && outcome.slug === slug
}

/** Describes an outcome in a report: the number of rows, never their content. */
export function inWords(outcome: CallOutcome): string {
  if (outcome.kind === 'refused') return `the problem ${outcome.slug}`
  if (outcome.kind === 'unusable') return outcome.why
  if (!Array.isArray(outcome.data)) return 'an answer'
  return outcome.rows.length === 1 ? 'a list of 1 row' : `a list of ${outcome.rows.length} rows`
}

function refused({ slug, members }: Problem): Refused {
  const pointers = (members.errors ?? []).flatMap((fault) => ('pointer' in fault ? [fault.pointer] : []))
  return { kind: 'refused', slug, required_scope: members.required_scope, pointers }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    decoder.decode(bytes)
    return true
  } catch {
    return false
  }
}
