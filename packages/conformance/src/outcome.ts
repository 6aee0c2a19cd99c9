// What a reply of the port means: judged by the gateway's own readers, so that what the kit takes for an answer is one.
import { type OpenedFile, type Operation, type Position, Problem, type ProblemSlug } from '@clinic-data/contract'
import { readFile } from '@clinic-data/gateway/http-backend/file-answer'
import { readAnswer } from '@clinic-data/gateway/http-backend/port-answer'
import type { Answered as Received } from '@clinic-data/gateway/http-backend/port-client'
import { PortFailure } from '@clinic-data/gateway/http-backend/port-failure'
import type { Reply } from './port-caller.ts'
import { type Row, rowsOf } from './row.ts'

export interface Answered {
  kind: 'answered'
  data: unknown
  /** The rows of a list; of one resource, itself. */
  rows: readonly Row[]
  next: Position | null
  /** Of a feed: where it has been read to. */
  resume: Position | null
  meta: unknown
  /** Of a write: 200 when it found its resource there already. */
  status: number | undefined
  /** Of a write: whether this repeats the answer to an earlier request with the same idempotency key. */
  replayed: boolean
}

/** A problem of the port, as the client will see it. */
export interface Refused {
  kind: 'refused'
  slug: ProblemSlug
  required_scope: string | undefined
  pointers: readonly string[]
}

/** Nothing that a gateway can use. */
export interface Unusable {
  kind: 'unusable'
  why: string
}

export type Outcome = Answered | Refused | Unusable

const decoder = new TextDecoder('utf-8', { fatal: true })

export async function outcomeOf(operation: Operation, reply: Reply): Promise<Outcome> {
  if (!isUtf8(reply.bytes)) return { kind: 'unusable', why: `an answer that is not UTF-8 (status ${reply.status})` }
  try {
    const value = await readAnswer(operation)(received(reply))
    if (value instanceof Problem) return refused(value)
    const {
      data = null,
      next = null,
      resume = null,
      meta,
      status,
      replayed = false,
    } = (value ?? {}) as Partial<Answered>
    return { kind: 'answered', data, rows: rowsOf(data), next, resume, meta, status, replayed }
  } catch (error) {
    if (error instanceof PortFailure) return { kind: 'unusable', why: error.message }
    throw error
  }
}

export type FileOutcome = Exclude<OpenedFile, { state: 'open' }> | OpenFile | { state: 'unusable'; why: string }

export interface OpenFile extends Omit<Extract<OpenedFile, { state: 'open' }>, 'stream'> {
  bytes: Buffer
}

export async function fileOutcomeOf(reply: Reply): Promise<FileOutcome> {
  try {
    const opened = await readFile(received(reply))
    if (opened instanceof Problem) return { state: 'unusable', why: opened.slug }
    if (opened.state !== 'open') return opened
    const { stream: _, ...told } = opened
    return { ...told, bytes: reply.bytes }
  } catch (error) {
    if (error instanceof PortFailure) return { state: 'unusable', why: error.message }
    throw error
  }
}

/** In the words of a report: how many rows, never what they hold. */
export function inWords(outcome: Outcome): string {
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

/** The reply in the form in which the gateway's readers take it: read already, so there is nothing to listen to or to stop. */
function received({ status, headers, bytes }: Reply): Received {
  const body = {
    text: async () => bytes.toString(),
    json: async () => JSON.parse(bytes.toString()) as unknown,
    dump: async () => undefined,
    on: () => undefined,
    destroy: () => undefined,
  }
  return { statusCode: status, headers: Object.fromEntries(headers), body } as unknown as Received
}
