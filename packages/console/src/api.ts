// The typed client of the console's operations. Only their types come from the contract, so the page holds none of its schemas.
import type { consoleOperations } from '@clinic-data/contract/console/console-operations'
import type { ConsoleKey, ConsoleSession, MintedConsoleKey } from '@clinic-data/contract/console/console-resources'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import { tellConnection } from './requests/connection.ts'
import { refusalOf, UnreachableError } from './requests/refusal.ts'

export type { ConsoleKey, ConsoleSession, MintedConsoleKey }

type Operations = typeof consoleOperations
type Name = keyof Operations
type Bodied<Schema> = Schema extends TSchema ? Static<Schema> : undefined
export type BodyOf<N extends Name> = Bodied<Operations[N]['body']>
type AnswerOf<N extends Name> = Bodied<Operations[N]['output']>
type Place<N extends Name> = readonly [method: Operations[N]['method'], path: Operations[N]['path']]

/** The compiler compares each with its record. */
const places: { readonly [N in Name]: Place<N> } = {
  signIn: ['POST', '/console/api/sign-in'],
  signInByLink: ['POST', '/console/api/sign-in/link'],
  session: ['GET', '/console/api/session'],
  signOut: ['POST', '/console/api/sign-out'],
  setPassword: ['POST', '/console/api/password'],
  listKeys: ['GET', '/console/api/keys'],
  mintKey: ['POST', '/console/api/keys'],
  revokeKey: ['POST', '/console/api/keys/{id}/revoke'],
}

/** An answer that takes longer never comes. */
const PATIENCE_MS = 30_000

interface Sent<N extends Name> {
  body?: BodyOf<N>
  id?: string
  /** The same for every attempt at one thing. */
  idempotencyKey?: string
}

/** @throws RefusedError | UnreachableError */
async function call<N extends Name>(name: N, { body, id = '', idempotencyKey }: Sent<N> = {}): Promise<AnswerOf<N>> {
  const [method, path] = places[name]
  const answer = await reach(path.replace('{id}', encodeURIComponent(id)), {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      'x-console': '1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw await refusalOf(answer)
  // The records say what each answer holds.
  return (answer.status === 204 ? undefined : await readWhole(answer)) as AnswerOf<N>
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(path, request)
    tellConnection('there')
    return answer
  } catch (error) {
    tellConnection('lost')
    throw new UnreachableError('no answer', { cause: error })
  }
}

/** The connection can break within an answer. */
async function readWhole(answer: Response): Promise<unknown> {
  try {
    return await answer.json()
  } catch (error) {
    throw new UnreachableError('half an answer', { cause: error })
  }
}

export const api = {
  signIn: async (body: BodyOf<'signIn'>) => (await call('signIn', { body })).data,
  signInByLink: async (token: string) => (await call('signInByLink', { body: { token } })).data,
  session: async () => (await call('session')).data,
  signOut: (everywhere: boolean) => call('signOut', { body: { everywhere } }),
  setPassword: (body: BodyOf<'setPassword'>) => call('setPassword', { body }),
  listKeys: async () => (await call('listKeys')).data,
  mintKey: async (body: BodyOf<'mintKey'>, idempotencyKey: string) =>
    (await call('mintKey', { body, idempotencyKey })).data,
  revokeKey: async (id: string) => (await call('revokeKey', { id })).data,
}
