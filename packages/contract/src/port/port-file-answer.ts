// Reads the answer to a request for a file over the port: the facts about the file in its headers, or why there is none.
import type { OpenedFile } from '../backend.ts'
import { jsonOf } from '../input/json-text.ts'
import { MAX } from '../limits.ts'
import type { Problem } from '../problems.ts'
import { portForms, portHeaders } from './port.ts'
import { type PortReply, refusal, UnusableAnswer } from './port-answer.ts'

type Open = Extract<OpenedFile, { state: 'open' }>

/** An opened file without its bytes. */
export type FileHead = Omit<Open, 'stream'>

const WHOLE = /^\d{1,12}$/
const PART = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12})$/
/** Only these characters may go on to the client in a header. */
const MEDIA_TYPE = /^[\x20-\x7e]{1,127}$/

/** Whether an answer of this status carries the bytes of a file. */
export function carriesFile(status: number): boolean {
  return status === 200 || status === 206
}

/**
 * Reads the headers of an answer that carries a file.
 *
 * @throws UnusableAnswer
 */
export function fileHead(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): FileHead {
  const length = WHOLE.test(String(headers['content-length'])) ? Number(headers['content-length']) : null
  const part = status === 206 ? partOf(String(headers['content-range'])) : wholeOf(length)
  const content_type = String(headers['content-type'])
  const file_name = decoded(String(headers[portHeaders.file_name]))
  const patient_ids = patientIdsIn(headers[portHeaders.patient_ids])
  const isSound =
    part !== null &&
    part.size_bytes <= MAX.file &&
    part.last < part.size_bytes &&
    part.last - part.first + 1 === length &&
    MEDIA_TYPE.test(content_type) &&
    file_name !== null &&
    patient_ids !== null
  if (!isSound) throw new UnusableAnswer('a file without the agreed headers')
  return { state: 'open', content_type, file_name, ...part, ...(patient_ids && { patient_ids }) }
}

/**
 * Reads why no file came.
 *
 * @throws UnusableAnswer
 */
export function fileRefusal(reply: PortReply): Exclude<OpenedFile, Open> | Problem {
  const { status } = reply
  if (status !== 403 && status !== 404 && status !== 410 && status !== 416) {
    return refusal(reply, (slug) => slug === 'service-unavailable' || slug === 'internal-error')
  }
  const body = jsonOf(reply.text)
  if (portForms.fileRefusal.accepts(body)) {
    if (status === 403 && body.state === 'elsewhere') return { state: 'elsewhere' }
    if (status === 404 && body.state === 'missing') return { state: 'missing' }
    if (status === 410 && body.state === 'revoked') return { state: 'revoked' }
    if (status === 416 && body.state === 'unsatisfiable' && body.size_bytes !== undefined) {
      const { size_bytes, patient_ids } = body
      return { state: 'unsatisfiable', size_bytes, ...(patient_ids && { patient_ids }) }
    }
  }
  throw new UnusableAnswer(`a file refused without the agreed form (status ${status})`)
}

type Part = Pick<Open, 'first' | 'last' | 'size_bytes'>

function wholeOf(length: number | null): Part | null {
  return length === null ? null : { first: 0, last: length - 1, size_bytes: length }
}

function partOf(contentRange: string): Part | null {
  const [, first, last, size_bytes] = PART.exec(contentRange) ?? []
  return size_bytes === undefined ? null : { first: Number(first), last: Number(last), size_bytes: Number(size_bytes) }
}

/** The header that tells these patients. */
export function patientIdsHeader(patient_ids: readonly string[]): string {
  return patient_ids.map(encodeURIComponent).join(',')
}

/** Undefined from a backend that does not tell them. */
function patientIdsIn(header: string | string[] | undefined): string[] | undefined | null {
  if (header === undefined) return undefined
  if (header === '') return []
  try {
    const ids = String(header).split(',').map(decodeURIComponent)
    return ids.length <= MAX.patients && ids.every((id) => id !== '' && id.length <= MAX.id) ? ids : null
  } catch {
    return null
  }
}

function decoded(fileName: string): string | null {
  try {
    const name = decodeURIComponent(fileName)
    return name.length <= MAX.file_name ? name : null
  } catch {
    return null
  }
}
