// Sends one request to the service, from the console's own page, and reads its answer.
import { clinicAt, reader } from './clinic.ts'
import { tellConnection } from './connection.ts'
import { isUnapproved, isUnconfirmed, refusalOf, UnreachableError } from './refusal.ts'
import { approving, confirming } from './waiting.ts'

/** An answer that takes longer never comes. */
const PATIENCE_MS = 30_000

/** As long as the service goes on making a file. */
const FILE_PATIENCE_MS = 3_600_000

export interface Sent {
  method: string
  /** Sent as JSON. */
  body?: unknown
  /** The same for every attempt at one thing. */
  idempotencyKey?: string
  /** The page reads by itself, to stay current. That does not keep the session alive. */
  isWatch?: boolean
  /** In this clinic. Null: in the one that was signed in to. Default: where the tab works. */
  at?: string | null
  /** Whoever is signed in. Default: whom the page shows, and nobody else. */
  isForAnyone?: boolean
  /** The answer is a file. */
  isFile?: boolean
  /** Gives the request up. */
  signal?: AbortSignal
}

/**
 * @returns the JSON of the answer or its file, undefined where it has none.
 * @throws RefusedError | UnreachableError
 */
export async function ask(path: string, sent: Sent): Promise<unknown> {
  const answer = await answerTo(path, sent)
  return answer.status === 204 ? undefined : await readWhole(answer, sent.isFile ?? false)
}

/** The same before its body is read. */
export async function answerTo(path: string, sent: Sent): Promise<Response> {
  const {
    method,
    body,
    idempotencyKey,
    isWatch = false,
    at = clinicAt(),
    isForAnyone = sent.at !== undefined,
    isFile = false,
    signal,
  } = sent
  const who = isForAnyone ? null : reader()
  const late = AbortSignal.timeout(isFile ? FILE_PATIENCE_MS : PATIENCE_MS)
  const answer = await reach(path, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, late]) : late,
    headers: {
      'x-console': at === null ? '1' : `at ${at}`,
      ...(who !== null && { 'x-console-reader': who }),
      ...(isWatch && { 'x-console-watch': '1' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) {
    const refusal = await refusalOf(answer)
    // Nothing was done: the same request, with the same key, is taken after it.
    if (isUnconfirmed(refusal) && (await confirming.wait())) return answerTo(path, sent)
    if (isUnapproved(refusal) && (await approving.wait())) return answerTo(path, sent)
    throw refusal
  }
  return answer
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(path, request)
    tellConnection('there')
    return answer
  } catch (error) {
    // A request that was given up says nothing of the connection.
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    tellConnection('lost')
    throw new UnreachableError('no answer', { cause: error })
  }
}

/** The connection can break within an answer. */
async function readWhole(answer: Response, isFile: boolean): Promise<unknown> {
  try {
    return await (isFile ? answer.blob() : answer.json())
  } catch (error) {
    throw new UnreachableError('half an answer', { cause: error })
  }
}

type NameIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never

/** A value for each parameter in a path. */
export type Params<Path> = Readonly<Record<NameIn<Path>, string>>

/** A path whose `{names}` are replaced, with its query. What is undefined or empty is left out. */
export function addressOf(path: string, params: Readonly<Record<string, string>>, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? filled : `${filled}?${search}`
}
