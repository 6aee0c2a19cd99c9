// Reads what an app sends to the endpoints below `/oauth`, strictly: a form whose parameters come once each, or the JSON of a registration.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { MAX, Problem } from '@clinic-data/contract'
import type { AppEndpoint, AppRequest } from '@clinic-data/contract/app-request'
import { BodyMemory } from '@clinic-data/contract/body-memory'
import { bytesWithin } from '@clinic-data/contract/bytes-within'
import { parseJson } from '@clinic-data/contract/json-text'
import { PORT_LIMITS } from '@clinic-data/contract/port-limits'
import { AppRefusal } from './app-refusal.ts'

type Form = AppRequest['form']

/** Twice the longest parameter: a signed proof beside a code. */
const MOST_BYTES = 64 * 1024
/** Room for as many of the longest. Bodies of the API have a memory of their own, and wait for none of these. */
const bodies = new BodyMemory(64 * MOST_BYTES)

const FORM_TYPE = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const UTF_8 = /^[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*$/i

/** A parameter's name as the standards write them. Another one is not repeated in an answer. */
const PLAIN_NAME = /^[a-z][a-z_]{0,40}$/

/** @throws AppRefusal that names every fault of the form */
export async function readAppForm(endpoint: AppEndpoint, request: IncomingMessage): Promise<Form> {
  const isJson = endpoint === 'register'
  const code = isJson ? 'invalid_client_metadata' : 'invalid_request'
  if (request.url?.includes('?')) throw new AppRefusal(code, 'Send everything in the body and nothing in the address.')
  const type = isJson ? JSON_TYPE : FORM_TYPE
  if (!isOfType(request, type)) throw new AppRefusal(code, `Send the body as ${type}, in UTF-8, without an encoding.`)
  const bytes = await bodies.hold(chunksOf(request), (chunks) => wholeBody(request, chunks, code))
  if (isJson) return { metadata: metadataOf(bytes) }
  if (!isUtf8(bytes)) throw new AppRefusal(code, 'The body must be UTF-8.')
  return formOf(bytes.toString())
}

function isOfType({ headers }: IncomingMessage, wanted: string): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';')
  const { 'content-encoding': encoding = 'identity' } = headers
  return type.trim().toLowerCase() === wanted && parameters.every((one) => UTF_8.test(one)) && encoding === 'identity'
}

async function wholeBody(request: IncomingMessage, chunks: AsyncIterable<Uint8Array>, code: string): Promise<Buffer> {
  const isLong = Number(request.headers['content-length'] ?? 0) > MOST_BYTES
  const bytes = isLong ? null : await bytesWithin(chunks, MOST_BYTES)
  if (bytes === null) throw new AppRefusal(code, `The body may have at most ${MOST_BYTES} bytes.`, 413)
  return bytes
}

/** Does not wait for the rest of an unread body: the answer is sent first. */
function chunksOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
}

/** The text as it came. What its members mean is looked at behind the port. */
function metadataOf(bytes: Buffer): string {
  const refused = (description: string) => new AppRefusal('invalid_client_metadata', description)
  const { form_characters } = PORT_LIMITS
  if (bytes.length > form_characters) throw refused(`The metadata may have at most ${form_characters} bytes.`)
  try {
    const value = parseJson(bytes)
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return bytes.toString().replace(/^\uFEFF/, '')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  throw refused('The body must be one JSON object, in UTF-8.')
}

/** A parameter without a value counts as left out (RFC 6749, 3.2). */
function formOf(text: string): Form {
  const { form_parameters: most } = PORT_LIMITS
  const pieces = text.split('&').filter((piece) => piece !== '')
  if (pieces.length > most) throw new AppRefusal('invalid_request', `Send at most ${most} parameters.`)
  const read = pieces.map(parameterOf)
  const names = read.map(({ name }) => name)
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  const faults = [
    ...new Set(read.flatMap(faultOf)),
    ...(repeated.size > 0 ? [`Send each parameter once: ${[...repeated].map(shown).join(', ')}.`] : []),
  ]
  if (faults.length > 0) throw new AppRefusal('invalid_request', faults.join(' '))
  return Object.fromEntries(read.flatMap(({ name, value }) => (value === '' ? [] : [[name, value ?? '']])))
}

interface Parameter {
  readonly name: string
  /** Null: the bytes mean no text. */
  readonly value: string | null
}

function parameterOf(piece: string): Parameter {
  const at = piece.includes('=') ? piece.indexOf('=') : piece.length
  return { name: decoded(piece.slice(0, at)) ?? '', value: decoded(piece.slice(at + 1)) }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function faultOf({ name, value }: Parameter): string[] {
  const { form_characters } = PORT_LIMITS
  if (name === '' || name.length > MAX.name || name.includes('\0')) return ['A parameter has no valid name.']
  if (value === null || value.includes('\0')) return [`The value of ${shown(name)} must be text in form encoding.`]
  return value.length > form_characters ? [`${shown(name)} may have at most ${form_characters} characters.`] : []
}

function shown(name: string): string {
  return PLAIN_NAME.test(name) ? name : 'a parameter'
}
