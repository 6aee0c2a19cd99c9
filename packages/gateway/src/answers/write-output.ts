// Writes an answer's body and headers. Drops every field that the operation's schema does not name.

import {
  type Answer,
  type AnyAnswer,
  type Operation,
  type Position,
  readerOf,
  type StoredFile,
} from '@clinic-data/contract'
import type { Audited } from '@clinic-data/contract/audited'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { type PageMeta, unknownIdWarning, unknownValuesWarning } from '@clinic-data/contract/page-meta'
import type { TSchema } from '@clinic-data/contract/schema'
import { serializerOf } from '@clinic-data/contract/serializer'
import { upstreamError } from './problem-response.ts'

/** An answer as it leaves. */
export interface Written {
  status: number
  body: string
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
  const concise = dataWriter(operation, operation.output)
  const detailed = operation.detailed ? dataWriter(operation, operation.detailed) : concise
  const meta = propertyOf(operation.output, 'meta')
  const writeMeta = meta ? serializerOf(meta) : null
  const isFeed = operation.order === 'feed'
  const isWarning = meta !== undefined && propertyOf(meta, 'warnings') !== undefined
  const reader = readerOf(operation)
  return (output, isDetailed, links) => {
    const answer = output as AnyAnswer
    const { status = operation.status } = answer
    const data = operation.shape === 'link' ? links.file(answer.data as StoredFile) : answer.data
    let body = `{"data":${(isDetailed ? detailed : concise)(data)}`
    if (operation.shape === 'page')
      body += `,"next_cursor":${answer.next ? JSON.stringify(links.cursor(answer.next)) : 'null'}`
    if (isFeed) body += `,"resume_cursor":${JSON.stringify(links.cursor(resumable(answer)))}`
    const about = isWarning ? warningsIn(answer, operation) : answer.meta
    if (writeMeta && (about !== undefined || !isWarning)) body += `,"meta":${writeMeta(about)}`
    return { status, body: `${body}}`, ...headersOf(answer, status, links) }
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

function dataWriter(operation: Operation, output: TSchema): (data: unknown) => string {
  const schema = propertyOf(output, 'data')
  if (!schema) throw new Error(`${operation.id} has an output without data`)
  if (operation.shape !== 'page' && operation.shape !== 'bounded') return checked(operation, serializerOf(schema))
  const { items, maxItems } = jsonSchemaOf(schema)
  if (!items || maxItems === undefined) throw new Error(`${operation.id} has an output without a list`)
  const write = serializerOf(items as TSchema)
  return checked(operation, (data) => {
    if (!Array.isArray(data) || data.length > maxItems)
      throw new Error('the backend answered no list of the agreed length')
    let text = '['
    for (let i = 0; i < data.length; i++) text += i === 0 ? write(data[i]) : `,${write(data[i])}`
    return `${text}]`
  })
}

/** An answer without a field that the contract promises is not usable. */
function checked(operation: Operation, write: (data: unknown) => string): (data: unknown) => string {
  return (data) => {
    try {
      return write(data)
    } catch (error) {
      throw upstreamError(new Error(operation.id, { cause: error }))
    }
  }
}

function propertyOf(schema: TSchema, name: string): TSchema | undefined {
  return jsonSchemaOf(schema).properties?.[name] as TSchema | undefined
}
