// The console over a test's database: a listener, a clinic with an administrator, and a browser that keeps its cookie.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { namedIn } from '@clinic-data/audit/stored-ids'
import type { Clinic } from '@clinic-data/contract'
import { wideBlock } from '@clinic-data/contract/address-block'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { FailedAttempts } from '@clinic-data/gateway/limits/failed-attempts'
import type { Log } from '@clinic-data/surface/log'
import { clinicWithoutKeys, failingLog } from '@clinic-data/testing/run/test-database'
import Fastify, { type FastifyInstance } from 'fastify'
import { createAdministrator, makeSignInLink } from '../src/administrators.ts'
import { CONSOLE_API, type ConsoleParts, consoleRoutes } from '../src/routes/console-routes.ts'
import { REFUSED_LINE } from '../src/sessions/sign-in-count.ts'
import { OpenIdProvider, type OpenIdSettings } from '../src/sign-in/openid-provider.ts'
import { CHEAP, storePassword } from './stored-password.ts'

const secretKeys = parseSecretKeys(`t:${randomBytes(32).toString('base64')}`)

export const BASE_URL = 'https://api.clinic.example'
export const HOST = 'console.clinic.example'

/** A page of the console itself sends these along. */
export const OWN_PAGE = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` }

/** Tests refuse sign-ins all the time. Any other line fails. */
const quietLog: Log = {
  ...failingLog,
  warn: (fields, line) => (line === REFUSED_LINE ? undefined : failingLog.warn(fields, line)),
}

/** A clock that only a test moves, beside the database's own. */
export class TestClock {
  #aheadMs = 0

  readonly now = () => new Date(Date.now() + this.#aheadMs)
  readonly monotonic = () => performance.now() + this.#aheadMs

  advance(minutes: number): void {
    this.#aheadMs += minutes * 60_000
  }
}

export interface Console {
  app: FastifyInstance
  parts: ConsoleParts
  clock: TestClock
}

/** Closed after the file's tests. Its passwords cost next to nothing. A request's address and scheme are those that headers of the test name. */
export async function openConsole(
  owner: Database,
  { openId = null, ...parts }: Partial<Omit<ConsoleParts, 'openId'>> & { openId?: OpenIdSettings | null } = {},
): Promise<Console> {
  const clock = new TestClock()
  const app = Fastify({ logger: false, routerOptions: { maxParamLength: 1_000 } })
  const wholeParts: ConsoleParts = {
    consoleDatabase: owner,
    now: clock.now,
    log: quietLog,
    baseUrl: BASE_URL,
    usualRate: 600,
    wait: async () => undefined,
    passwordCost: CHEAP,
    signInKeys: signingKeys(secretKeys, 'console-sign-in'),
    webhookKeys: signingKeys(secretKeys, 'webhook-secret'),
    openId: openId && new OpenIdProvider(openId, clock.now),
    failedSignIns: new FailedAttempts({ monotonic: clock.monotonic }),
    addressOf: ({ headers }) => String(headers['test-address'] ?? '192.0.2.1'),
    blockOf: wideBlock,
    isSecure: ({ headers }) => headers['test-scheme'] === 'https',
    ...parts,
  }
  await app.register(consoleRoutes(wholeParts), { prefix: CONSOLE_API })
  await app.ready()
  after(() => app.close())
  return { app, parts: wholeParts, clock }
}

export interface Sent {
  method?: 'GET' | 'POST' | 'HEAD'
  body?: unknown
  /** Replace those of the console's own page; undefined leaves one out. */
  headers?: Record<string, string | undefined>
  cookie?: string | null
}

export async function send({ app }: Console, path: string, { method = 'POST', body, headers, cookie }: Sent = {}) {
  const headersSent = { host: HOST, ...OWN_PAGE, ...(cookie ? { cookie } : {}), ...headers }
  const answer = await app.inject({
    method,
    url: `${CONSOLE_API}${path}`,
    headers: {
      ...Object.fromEntries(Object.entries(headersSent).filter(([, value]) => value !== undefined)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const { statusCode: status, headers: sent, payload } = answer
  const setCookie = sent['set-cookie'] === undefined ? null : String(sent['set-cookie'])
  const isJson = /\bjson\b/.test(String(sent['content-type']))
  return { status, headers: sent, setCookie, payload, json: isJson ? JSON.parse(payload) : null }
}

/** The pair that a browser sends back. */
export const pairOf = (setCookie: string | null) =>
  /^[^;]+/.exec(setCookie ?? assert.fail('no cookie was set'))?.[0] ?? ''

export const newPassword = () => randomBytes(12).toString('base64url')

export interface Person {
  clinic: Clinic
  id: string
  email: string
}

/** An administrator of a clinic of its own, or of this one. */
export async function person(owner: Database, clinic?: Clinic): Promise<Person> {
  const of = clinic ?? (await clinicWithoutKeys(owner))
  const email = `noa.${randomBytes(4).toString('hex')}@clinic.example`
  const { id } = await createAdministrator(owner, { clinic_id: of.clinic_id, email, name: 'Noa Levi', now: new Date() })
  return { clinic: of, id, email }
}

/** Signs in by a link. @returns the cookie. */
export async function signedIn(console: Console, owner: Database, { clinic, id }: Person): Promise<string> {
  const { token } = await makeSignInLink(owner, { clinic_id: clinic.clinic_id, id, now: console.clock.now() })
  const { status, setCookie } = await send(console, '/sign-in/link', { body: { token } })
  assert.equal(status, 200)
  return pairOf(setCookie)
}

/** Signs in by a link and sets a password, as a browser does. */
export async function settingPassword(console: Console, owner: Database, one: Person) {
  const cookie = await signedIn(console, owner, one)
  const password = newPassword()
  assert.equal((await send(console, '/password', { cookie, body: { password } })).status, 204)
  return { cookie, password }
}

/** Signs in by a link, and has a password. */
export async function withPassword(console: Console, owner: Database, one: Person) {
  const cookie = await signedIn(console, owner, one)
  const password = newPassword()
  await storePassword(owner, one, password)
  return { cookie, password }
}

/** The answers to the session's own question, one for each cookie. */
export async function statusesOf(console: Console, cookies: readonly string[]): Promise<number[]> {
  const answers = cookies.map((cookie) => send(console, '/session', { method: 'GET', cookie }))
  return (await Promise.all(answers)).map(({ status }) => status)
}

/** The console's rows of a clinic's audit log, in order. */
export async function audited(owner: Database, { clinic_id }: Clinic) {
  const rows = await owner.read<AuditedRow>(
    utcSession(clinic_id),
    sql`select operation, key_id, status, resource_ids, address from audit
      where clinic_id = ${clinic_id} and surface = 'console' order by id`,
  )
  return rows.map((row) => ({ ...row, ...namedIn(row.resource_ids) }))
}

interface AuditedRow {
  operation: string
  key_id: string
  status: number
  resource_ids: string[]
  patient_ids?: string[]
  address: string
}
