// The base of the port listener's tests: a backend with a scripted handler, and calls to it.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import {
  allOperations,
  type Backend,
  type CallContext,
  type Grant,
  type Handlers,
  type Principal,
} from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import Fastify from 'fastify'
import { portRoutes } from '../src/port-listener.ts'

export type Handle = (grant: Grant, input: unknown, context: CallContext) => Promise<unknown>

export const token = randomBytes(24).toString('hex')

export const principal: Principal = {
  key_id: 'key_1',
  clinic: {
    clinic_id: 'north',
    time_zone: 'Asia/Jerusalem',
    country: 'IL',
    currency: 'ILS',
    week_start: 0,
    min_visit_minutes: 15,
  },
  scopes: ['patients:read'],
  rate_limit: null,
  expires_at: null,
}

export const input = { params: { id: 'p1' }, query: { limit: 25, after: null }, idempotency_key: null }

/** A backend whose every operation is answered by `handle`. */
export function backendOf(handle: Handle, further: Partial<Backend> = {}): Backend {
  return {
    authenticate: async () => principal,
    handlers: Object.fromEntries(allOperations.map(({ id }) => [id, handle])) as unknown as Handlers,
    audit: async () => undefined,
    openFile: async () => ({ state: 'missing' }),
    ready: async () => undefined,
    ...further,
  }
}

export function setUp(t: TestContext, handle: Handle, further: Partial<Backend> = {}) {
  const logged: { fields: Record<string, unknown>; line: string }[] = []
  const log = {
    warn: (fields: Record<string, unknown>, line: string) => logged.push({ fields, line }),
    error: (fields: Record<string, unknown>, line: string) => logged.push({ fields, line }),
  }
  const app = Fastify()
  app.register(portRoutes(backendOf(handle, further), { token, log }))
  t.after(() => app.close())
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answered = await app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answered.statusCode, text: answered.body, headers: answered.headers }
  }
  const getPatient = (headers: Record<string, string> = {}, content: unknown = { principal, input }) =>
    post(portPaths.operation('patients.get'), content, headers)
  return { app, post, getPatient, logged }
}

export const answering: Handle = async () => ({ data: { id: 'p1' } })
