// Writes an answer's body and headers. Drops every field that the operation's schema does not name.

import {
  type Answer,
  type AnyAnswer,
  type Audited,
  type Operation,
  type Position,
  readerOf,
  type StoredFile,
} from '@clinic-data/contract'
import { dataWriter, propertyOf, WrittenRows } from '@clinic-data/contract/data-writer'
import { type PageMeta, unknownIdWarning, unknownValuesWarning } from '@clinic-data/contract/page-meta'
import { serializerOf } from '@clinic-data/contract/serializer'
import { upstreamError } from './problem-response.ts'

/** An answer as it leaves. */
export interface Written {
  status: number
  /** As bytes, where a backend of the same contract has written the rows. */
  body: string | Buffer
  /** In addition to the headers of every answer. */
  headers?: Readonly<Record<string, string>>
}

export interface Output extends Written {
  /** Null: the backend has stored the row. */
  audited: Audited | null
}

interface Links {
  cursor: (position: Position) => string
  file: (file: StoredFile) => unknown
  /** Turns a path of the contract into the address that clients use. */
  address: (path: string) => string
}

/** Compiles the writer of one operation. */
export function outputWriter(
  operation: Operation,
): (answer: Answer<Operation> | AnyAnswer, detailed: boolean, links: Links) => Written {
  const writeData = checked(operation)
  const meta = propertyOf(operation.output, 'meta')
  const writeMeta = meta ? serializerOf(meta) : null
  const isFeed = operation.order === 'feed'
  const isWarning = meta !== undefined && propertyOf(meta, 'warnings') !== undefined
  const reader = readerOf(operation)
  return (output, isDetailed, links) => {
    const answer = output as AnyAnswer
    const { status = operation.status } = answer
    let end = ''
    if (operation.shape === 'page')
      end += `,"next_cursor":${answer.next ? JSON.stringify(links.cursor(answer.next)) : 'null'}`
    if (isFeed) end += `,"resume_cursor":${JSON.stringify(links.cursor(resumable(answer)))}`
    const about = isWarning ? warningsIn(answer, operation) : answer.meta
    if (writeMeta && (about !== undefined || !isWarning)) end += `,"meta":${writeMeta(about)}`
    return { status, body: bodyOf(answer.data, `${end}}`, isDetailed, links), ...headersOf(answer, status, links) }
  }

  function bodyOf(data: unknown, end: string, isDetailed: boolean, links: Links): string | Buffer {
    if (data instanceof WrittenRows) return Buffer.concat([Buffer.from(BEGINNING), data.bytes, Buffer.from(end)])
    const shown = operation.shape === 'link' ? links.file(data as StoredFile) : data
    return BEGINNING + writeData(shown, isDetailed) + end
  }

  /** The new resource's address, and whether this repeats an earlier answer. */
  function headersOf({ data, replayed }: AnyAnswer, status: number, links: Links): Pick<Written, 'headers'> {
    const created = status === 201 ? reader?.path : undefined
    if (created === undefined && !replayed) return NONE
    const id = encodeURIComponent((data as { id: string }).id)
    return {
      headers: {
        ...(created !== undefined && { location: links.address(created.replace('{id}', id)) }),
        ...(replayed && { 'idempotent-replayed': 'true' }),
      },
    }
  }
}

const BEGINNING = '{"data":'
const NONE = {}

/** An empty list and a query may have them, for filters of this operation. */
function warningsIn(
  { unknown_ids = [], unknown_values = [] }: AnyAnswer,
  { unknownIds, idFilters = [] }: Operation,
): PageMeta | undefined {
  const named = unknown_ids.filter((name) => Object.hasOwn(unknownIds, name))
  const valued = unknown_values.filter(({ filter, values }) => idFilters.includes(filter) && values.length > 0)
  const warnings = [...named.map(unknownIdWarning), ...valued.map(unknownValuesWarning)]
  return warnings.length === 0 ? undefined : { warnings }
}

function resumable({ resume }: AnyAnswer): Position {
  if (resume) return resume
  throw upstreamError(new Error('a feed without the position that it has been read to'))
}

/** An answer without a field that the contract promises is not usable. */
function checked(operation: Operation): (data: unknown, isDetailed: boolean) => string {
  const write = dataWriter(operation)
  return (data, isDetailed) => {
    try {
      return write(data, isDetailed)
    } catch (error) {
      throw upstreamError(new Error(operation.id, { cause: error }))
    }
  }
}
