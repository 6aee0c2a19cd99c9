// Sends forms to the service's endpoints for connected apps (RFC 6749), and reads its answers.
import { ConnectionError, UnexpectedAnswerError } from '@clinic-data/client/errors'
import { httpFetch } from './http-fetch.ts'

/** The id under which every service knows `sc`. */
export const CLIENT_ID = 'sc'
/** The service gives up after ten seconds. The rest is for a slow network. */
const TIMEOUT_MS = 30_000

/** The service has refused a form: `code` is one of RFC 6749 or RFC 8628. */
export class RefusedForm extends Error {
  override readonly name = 'RefusedForm'
  readonly code: string

  constructor(code: string, description: string | undefined) {
    super(description ?? code)
    this.code = code
  }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_at: string
}

type Body = Readonly<Record<string, unknown>>

/** @throws RefusedForm, ConnectionError, UnexpectedAnswerError, or the signal's reason */
export async function sendForm(
  url: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Body> {
  const body = new URLSearchParams({ ...form, client_id: CLIENT_ID }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, text } = await sent(url, { method: 'POST', headers, body }, signal)
  const read = status === 200 && text === '' ? {} : jsonOf(text)
  if (status === 200 && read !== null) return read
  if (status < 500 && typeof read?.error === 'string') throw new RefusedForm(read.error, wordsOf(read))
  throw unexpected(url, status)
}

/** The document, or null when there is none (404). @throws as `sendForm` */
export async function readDocument(url: string, signal?: AbortSignal): Promise<Body | null> {
  const { status, text } = await sent(url, { method: 'GET', headers: {} }, signal)
  if (status === 404) return null
  const read = status === 200 ? jsonOf(text) : null
  if (read === null) throw unexpected(url, status)
  return read
}

/** @throws UnexpectedAnswerError when the answer holds no tokens */
export function tokensOf(body: Body, url: string, now: number): Tokens {
  const { access_token, refresh_token, expires_in } = body
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string' || typeof expires_in !== 'number')
    throw unexpected(url, 200)
  return { access_token, refresh_token, expires_at: new Date(now + expires_in * 1_000).toISOString() }
}

async function sent(url: string, init: RequestInit, signal?: AbortSignal): Promise<{ status: number; text: string }> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await httpFetch(url, {
      ...init,
      headers: { accept: 'application/json', ...(init.headers as Record<string, string>) },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    // The error of Node.js may hold the request, and with it a token.
    const { code } = error as NodeJS.ErrnoException
    const why = typeof code === 'string' ? ` (${code})` : ''
    throw new ConnectionError(`the connection to the service failed: ${new URL(url).origin}${why}`)
  }
}

function jsonOf(text: string): Body | null {
  try {
    const read = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : null
  } catch {
    return null
  }
}

function wordsOf({ error_description }: Body): string | undefined {
  return typeof error_description === 'string' ? error_description : undefined
}

function unexpected(url: string, status: number): UnexpectedAnswerError {
  const message = `the answer of ${new URL(url).origin}, of status ${status}, is not one of the service: is that its address?`
  return new UnexpectedAnswerError(message, status, null)
}
