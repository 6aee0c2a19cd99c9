// Finds the segments with rows of a kind (who, what, in which way, with which outcome) without opening them: the kinds of a segment, a line each.
import type { LogRow } from './log-row.ts'

type Kind = Pick<LogRow, 'key_id' | 'operation' | 'surface' | 'status'>

const LINE = '\n'
const CELL = '\t'
const ANY = '[^\t\n]*'

/** The kinds of the rows, each once and in order. */
export function kindsOf(rows: Iterable<Kind>): string {
  const kinds = new Map<string, Kind>()
  for (const kind of rows) {
    // No text of a row has a zero.
    const all = `${kind.key_id}\0${kind.operation}\0${kind.surface}\0${classOf(kind)}`
    if (!kinds.has(all)) kinds.set(all, kind)
  }
  const lines = [...kinds.values()].map((kind) =>
    [kind.key_id, kind.operation, kind.surface, classOf(kind)].map(cell).join(CELL),
  )
  return [...new Set(lines)].sort().join(LINE)
}

const classOf = ({ status }: Kind) => String(Math.floor(status / 100))

/** Undefined or empty: any. */
export interface KindFilter {
  key_ids?: readonly string[] | undefined
  operations?: readonly string[] | undefined
  surfaces?: readonly string[] | undefined
  /** The first digits of statuses. */
  statusClasses?: readonly number[] | undefined
}

/** A regular expression of PostgreSQL for `kindsOf` of a segment with such a row. Null: every segment has one. */
export function kindPattern({ key_ids, operations, surfaces, statusClasses }: KindFilter): string | null {
  const lists = [key_ids, operations, surfaces, statusClasses?.map(String)]
  if (lists.every((list) => list === undefined)) return null
  const cells = lists.map((list) =>
    list === undefined ? ANY : `(?:${list.map((one) => literal(cell(one))).join('|')})`,
  )
  return `(?:^|${LINE})${cells.join(CELL)}(?:${LINE}|$)`
}

/** A name of an account on the operator's machine may have any character. */
function cell(text: string): string {
  return text.replaceAll(/[\t\n]/g, ' ')
}

function literal(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_\u{80}-\u{10ffff}]/gu, (character) => `\\${character}`)
}
