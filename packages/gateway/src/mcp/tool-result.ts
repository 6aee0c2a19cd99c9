// Makes a tool's result from the body of REST: keeps only the requested fields, as text and as structure. Cuts a result that is too
// long for a model at a row, with a cursor to continue.
import { createHash } from 'node:crypto'
import { type Audited, MAX, type Problem, TOOL_RESULT_CHARACTERS } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { PageMeta } from '@clinic-data/contract/page-meta'
import { visibleJson } from '@clinic-data/contract/visible-text'
import type { Output } from '../answers/write-output.ts'
import type { AuditedOutcome } from '../calls/call.ts'
import type { Input } from '../requests/read-input.ts'

/** A result, with its facts for the audit log. */
export interface ToolOutcome extends AuditedOutcome {
  /** Minified JSON. It is the body of REST where nothing was cut or left out. */
  readonly text: string
}

type Body = { data: unknown; next_cursor?: string | null; meta?: PageMeta }
type Row = Readonly<Record<string, unknown>>

/** The cursor of a result that is not a page of REST: how many rows were shown, and the digest of the last of them. */
export interface CutCursor {
  readonly shown: number
  readonly digest: string
}

/** The text around the rows: `next_cursor`, and the names. */
const AROUND = MAX.cursor + 100
/** When even one row is too long, its texts are cut to this length and marked. */
const SHORT_TEXT = 2000

/** Requests the page again with as many rows as fit, so that the backend itself makes the exact cursor. */
export async function pageResult(
  ask: (input: Input) => Promise<Output>,
  input: Input,
  fields: readonly string[] | null,
): Promise<ToolOutcome> {
  let { limit } = input.query
  for (;;) {
    const output = await ask({ ...input, query: { ...input.query, limit } })
    const result = resultOf(output)
    if (fields === null && fits(result)) return result
    const value = parsed(result)
    const rows = thinned(value.data as Row[], fields)
    const thin = fields === null ? result : changedTo(result, { ...value, data: rows })
    if (fits(thin)) return thin
    if (rows.length <= 1) return shortened(thin)
    limit = Math.max(1, fitting(rows, TOOL_RESULT_CHARACTERS - AROUND))
  }
}

interface ListCut {
  fields: readonly string[] | null
  /** The path to the list. */
  path: readonly string[]
  /** Where to continue. */
  after: CutCursor | null
  seal: (cursor: CutCursor) => string
  /** Returns what the audit log tells of the rows that are shown, where the list is the whole answer. */
  auditedIn: (rows: readonly unknown[]) => Audited
}

/**
 * The backend sends all other results whole, and the list in them is cut here.
 *
 * @throws Problem 400 when the list has changed since the cursor was made.
 */
export function listResult(output: Output, { fields, path, after, seal, auditedIn }: ListCut): ToolOutcome {
  const result = resultOf(output)
  if (after === null && fields === null && fits(result)) return result
  const value = parsed(result)
  const list = at(value, path)
  // A call without a transcript has no segments.
  if (!Array.isArray(list)) return shortened(result)
  const from = after?.shown ?? 0
  if (after && digestOf(list[from - 1]) !== after.digest) throw changed()
  const rows = thinned(list.slice(from), fields)
  const show = (count: number, next: { next_cursor?: string | null }) => {
    const audited = path.length === 1 ? auditedIn(list.slice(from, from + count)) : result.audited
    const shown = replaced(value, path, rows.slice(0, count)) as Body
    return changedTo({ ...result, audited }, { ...shown, ...next })
  }
  const whole = show(rows.length, after ? { next_cursor: null } : {})
  if (fits(whole)) return whole
  const around = whole.text.length - JSON.stringify(rows).length + AROUND
  const count = Math.max(1, fitting(rows, TOOL_RESULT_CHARACTERS - around))
  const shown = from + count
  return show(count, shown < list.length ? { next_cursor: seal({ shown, digest: digestOf(list[shown - 1]) }) } : {})
}

/** The result of one resource, which has no list to cut. */
export function wholeResult(output: Output): ToolOutcome {
  const result = resultOf(output)
  return fits(result) ? result : shortened(result)
}

function resultOf({ status, audited, body }: Output): ToolOutcome {
  return { status, audited, text: visibleJson(String(body)) }
}

/** Parsed only where something is cut or left out. */
function parsed({ text }: ToolOutcome): Body {
  return JSON.parse(text)
}

function changedTo({ status, audited }: AuditedOutcome, value: Body): ToolOutcome {
  return { status, audited, text: JSON.stringify(value) }
}

function fits({ text }: ToolOutcome): boolean {
  return text.length <= TOOL_RESULT_CHARACTERS
}

function thinned(rows: readonly Row[], fields: readonly string[] | null): readonly Row[] {
  if (fields === null) return rows
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name))))
}

/** How many of the rows fit into this many characters. */
function fitting(rows: readonly Row[], characters: number): number {
  let left = characters
  const end = rows.findIndex((row) => {
    left -= JSON.stringify(row).length + 1
    return left < 0
  })
  return end < 0 ? rows.length : end
}

/** Cuts and marks the long texts of a result that does not fit and has no rows to leave out. */
function shortened(result: ToolOutcome): ToolOutcome {
  const cut = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > SHORT_TEXT
      ? `${value.slice(0, SHORT_TEXT).toWellFormed()}… [cut: the first ${SHORT_TEXT} of ${value.length} characters]`
      : value
  const { data, ...rest } = parsed(result)
  return changedTo(result, { data: JSON.parse(JSON.stringify(data, cut)), ...rest })
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, step) => (inner as Row | null | undefined)?.[step], value)
}

function replaced(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by
  const row = value as Row
  return { ...row, [step]: replaced(row[step], rest, by) }
}

function digestOf(row: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(row) ?? '')
    .digest('base64url')
    .slice(0, 22)
}

function changed(): Problem {
  const detail = 'belongs to a list that has changed since; ask again without it'
  return faultProblem('invalid-request', [{ parameter: 'cursor', code: 'cursor', detail }])
}
