// Prints answers as JSON: one whole answer, or the rows of many pages as one list, written as they arrive.

import { safeJson } from '@clinic-data/contract/safe-text'
import type { Body } from '../connection/pages.ts'

/** 2 for people, 0 for one line. */
export type Indent = 0 | 2

export function jsonText(value: unknown, indent: Indent): string {
  return safeJson(JSON.stringify(value, null, indent))
}

/**
 * Gives the same text as `jsonText` for one body with all rows, without holding the pages. Only the last page's other members are
 * used.
 */
export async function* joinedJson(pages: AsyncIterable<Body>, indent: Indent): AsyncGenerator<string> {
  const line = indent === 0 ? '' : '\n'
  const at = (depth: number) => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)
  const nested = (value: unknown, depth: number) => jsonText(value, indent).replaceAll('\n', at(depth))
  let others: object = {}
  let count = 0
  yield `{${at(1)}"data":${indent === 0 ? '' : ' '}[`
  for await (const { data, ...rest } of pages) {
    others = rest
    const rows = Array.isArray(data) ? data : [data]
    const text = rows.map((row) => `${count++ === 0 ? '' : ','}${at(2)}${nested(row, 2)}`).join('')
    if (text !== '') yield text
  }
  const members = Object.entries(others).map(
    ([name, value]) => `,${at(1)}${JSON.stringify(name)}:${indent === 0 ? '' : ' '}${nested(value, 1)}`,
  )
  yield `${count === 0 ? '' : at(1)}]${members.join('')}${line}}`
}
