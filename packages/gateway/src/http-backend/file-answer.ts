// The answer to a request for a file: its headers read into what the port calls an opened file, its bytes left to the reader.

import type { OpenedFile, Problem } from '@clinic-data/contract'
import { MAX } from '@clinic-data/contract'
import { portForms, portHeaders } from '@clinic-data/contract/port'
import { refusal } from './port-answer.ts'
import type { Answered } from './port-client.ts'
import { PortFailure } from './port-failure.ts'

const WHOLE = /^\d{1,12}$/
const PART = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12})$/
/** What may stand in a header that goes on to the client. */
const MEDIA_TYPE = /^[\x20-\x7e]{1,127}$/

/** Reads the headers; the stream is the caller's, to read or to destroy. */
export async function readFile(answered: Answered): Promise<OpenedFile | Problem> {
  const { statusCode, headers, body } = answered
  if (statusCode !== 200 && statusCode !== 206) return refused(answered)
  // It may break before its reader listens; the reader, when it comes, learns of it all the same.
  body.on('error', () => undefined)
  const length = WHOLE.test(String(headers['content-length'])) ? Number(headers['content-length']) : null
  const part = statusCode === 206 ? partOf(String(headers['content-range'])) : wholeOf(length)
  const content_type = String(headers['content-type'])
  const file_name = decoded(String(headers[portHeaders.file_name]))
  const isSound =
    part !== null &&
    part.size_bytes <= MAX.file &&
    part.last < part.size_bytes &&
    part.last - part.first + 1 === length &&
    MEDIA_TYPE.test(content_type) &&
    file_name !== null
  if (!isSound) {
    body.destroy()
    throw new PortFailure('unusable', 'a file without the agreed headers')
  }
  return { state: 'open', content_type, file_name, ...part, stream: body }
}

async function refused(answered: Answered): Promise<OpenedFile | Problem> {
  const { statusCode } = answered
  if (statusCode !== 404 && statusCode !== 410 && statusCode !== 416) {
    return refusal(answered, (slug) => slug === 'service-unavailable' || slug === 'internal-error')
  }
  const body: unknown = await answered.body.json().catch(() => null)
  if (portForms.fileRefusal.accepts(body)) {
    if (statusCode === 404 && body.state === 'missing') return { state: 'missing' }
    if (statusCode === 410 && body.state === 'revoked') return { state: 'revoked' }
    if (statusCode === 416 && body.state === 'unsatisfiable' && body.size_bytes !== undefined) {
      return { state: 'unsatisfiable', size_bytes: body.size_bytes }
    }
  }
  throw new PortFailure('unusable', `a file refused without the agreed form (status ${statusCode})`)
}

interface Part {
  first: number
  last: number
  size_bytes: number
}

function wholeOf(length: number | null): Part | null {
  return length === null ? null : { first: 0, last: length - 1, size_bytes: length }
}

function partOf(contentRange: string): Part | null {
  const [, first, last, size_bytes] = PART.exec(contentRange) ?? []
  return size_bytes === undefined ? null : { first: Number(first), last: Number(last), size_bytes: Number(size_bytes) }
}

function decoded(fileName: string): string | null {
  try {
    const name = decodeURIComponent(fileName)
    return name.length <= MAX.file_name ? name : null
  } catch {
    return null
  }
}
