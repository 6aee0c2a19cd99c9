// A whole service to which apps are connected: `clinicd serve` on a database of its own, a clinic with patients, and a person of it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import * as schema from '@clinic-data/backend/migrations'
import type { Scope } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { freePorts } from '@clinic-data/testing/free-port'
import { type ClinicdProcess, startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import type { Tab } from '@clinic-data/testing/run/chromium'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { emptyClinic, smallClinic, type TestClinic } from '@clinic-data/testing/run/test-service'
import { operator } from '@clinic-data/testing/shared/operator'

const root = join(import.meta.dirname, '../..')
const PATIENTS = 12

interface Allowing {
  /** Default: those that were asked for. */
  readonly scopes?: readonly Scope[]
}

/** The console's API as the pages use it, in a session of its own. */
export class Person {
  readonly #site: { readonly consoleUrl: string }
  readonly cookie: string

  constructor(site: { readonly consoleUrl: string }, cookie: string) {
    this.#site = site
    this.cookie = cookie
  }

  /** @throws AssertionError when the console refuses. */
  async ask<T>(method: 'GET' | 'POST', path: string, body: object = {}): Promise<T> {
    const origin = this.#site.consoleUrl
    const answer = await fetch(`${origin}/console/api${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        origin,
        'x-console': '1',
        ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`)
    return text === '' ? (null as T) : JSON.parse(text).data
  }

  /** As the page of consent does. @returns where the app is answered. */
  async allow(authorization: URL, { scopes }: Allowing = {}): Promise<URL> {
    const request = authorization.search.slice(1)
    type Looked = { access: { scopes: Scope[] } | null; redirect_to: string | null }
    const { access, redirect_to } = await this.ask<Looked>('POST', '/connect/look', { request })
    if (access === null) return new URL(redirect_to ?? assert.fail('nobody is asked, and nobody is answered'))
    const granted = { request, scopes: scopes ?? access.scopes, days: 30 }
    return new URL((await this.ask<{ redirect_to: string }>('POST', '/connect/allow', granted)).redirect_to)
  }

  connections(): Promise<Listed[]> {
    return this.ask('GET', '/connections')
  }

  /** The one that goes on. @throws AssertionError when it is not one. */
  async onlyConnection(app: string): Promise<Listed> {
    const open = (await this.connections()).filter((one) => one.ended_at === null && one.app.id === app)
    const [only] = open
    assert.ok(open.length === 1 && only !== undefined, `${app} has ${open.length} connections`)
    return only
  }

  end(id: string): Promise<Listed> {
    return this.ask('POST', `/connections/${id}/end`)
  }
}

export interface Listed {
  readonly id: string
  readonly app: { readonly id: string; readonly name: string }
  readonly scopes: readonly Scope[]
  readonly audience: string | null
  readonly ended_at: string | null
  readonly end_reason: string | null
}

export class ConnectSite {
  readonly baseUrl: string
  readonly consoleUrl: string
  readonly owner: Database
  readonly clinic: TestClinic
  readonly #environment: Record<string, string>
  readonly #person: string
  readonly #isSplit: boolean
  #processes: ClinicdProcess[] = []

  private constructor(parts: {
    environment: Record<string, string>
    owner: Database
    clinic: TestClinic
    person: string
    isSplit: boolean
  }) {
    const { environment, owner, clinic, person, isSplit } = parts
    this.baseUrl = `http://127.0.0.1:${environment.PORT}`
    // By this name, because a browser knows passkeys by names alone.
    this.consoleUrl = `http://localhost:${environment.ADMIN_PORT}`
    this.owner = owner
    this.clinic = clinic
    this.#environment = environment
    this.#person = person
    this.#isSplit = isSplit
  }

  /** Its database is dropped after the tests of the file. @param isSplit a gateway before a backend, instead of one process. */
  static async start(settings: Record<string, string> = {}, isSplit = false): Promise<ConnectSite> {
    const { url, owner, app, opened } = await ownGround(schema)
    const folder = await mkdtemp(join(tmpdir(), 'connect-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const clinic = await smallClinic({ owner, database: app } as Parameters<typeof smallClinic>[0], PATIENTS)
    const { clinic_id } = clinic.clinic
    const who = { clinic_id, email: 'dana@clinic.example', name: 'Dana Levi', now: new Date() }
    const { id: person } = await createAdministrator(owner, who)
    const [port, adminPort] = await freePorts(2)
    const environment = {
      DATA_DIR: folder,
      DATABASE_URL: url,
      SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      CONNECT_REGISTRATION: '1',
      // The documents of the tests' apps are on this machine.
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      ...settings,
    }
    const site = new ConnectSite({ environment, owner, clinic, person, isSplit })
    await site.serve()
    // Nobody uses it any more: an orderly end would wait for load balancers.
    opened.defer(() => site.kill())
    return site
  }

  /** Starts the service, at its addresses of before. */
  async serve(): Promise<void> {
    const environment = this.#environment
    if (!this.#isSplit) {
      this.#processes = [await startClinicd([], environment)]
      return
    }
    const shared = { ...environment, CONSOLE_URL: this.consoleUrl, BACKEND_TOKEN: randomBytes(24).toString('hex') }
    const backend = await startClinicd(['--role', 'backend'], shared)
    const ofGateway: Record<string, string> = { ...shared, ADMIN_PORT: '0', BACKEND_URL: backend.adminAddress }
    const { DATABASE_URL, ...others } = ofGateway
    this.#processes = [await startClinicd(['--role', 'gateway'], others), backend]
  }

  /** As a machine that loses its power. */
  async kill(): Promise<void> {
    const running = this.#processes
    this.#processes = []
    for (const one of running) await one.end('SIGKILL')
  }

  /** Begins a session of the clinic's administrator. */
  async signIn(): Promise<Person> {
    const { clinic_id } = this.clinic.clinic
    const { token } = await makeSignInLink(this.owner, { clinic_id, id: this.#person, now: new Date() })
    const origin = this.consoleUrl
    const answer = await fetch(`${origin}/console/api/sign-in/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-console': '1', origin },
      body: JSON.stringify({ token }),
    })
    const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';')
    assert.ok(answer.ok && cookie, `the link did not sign in: ${answer.status} ${await answer.text()}`)
    return new Person(this, cookie)
  }

  /** Lets a browser have the session of the person. */
  async signedIn(tab: Tab, { cookie }: Person): Promise<void> {
    const [name, value] = cookie.split('=')
    const place = { url: this.consoleUrl, path: '/console', httpOnly: true, sameSite: 'Strict' }
    await tab.send('Network.setCookie', { name, value, ...place })
  }

  /** A clinic of which the person is nobody. */
  otherClinic() {
    return emptyClinic(this.owner)
  }

  /** The status of a read with this token. */
  async statusWith(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${this.baseUrl}/v1/patients?limit=1`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }

  /** `clinicd apps`, as the operator. @returns what it prints. */
  async apps(...argv: string[]): Promise<string> {
    const { code, out, errors } = await operator.run(['apps', ...argv], this.#environment)
    assert.equal(code, 0, errors)
    return out
  }
}

/** The console's pages as browsers load them. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'packages/console/scripts/build.ts')])
}
