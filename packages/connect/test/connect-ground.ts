// The authorization server over a test's database: an app, a person of a clinic, and the ways of both.
import { randomBytes, randomUUID } from 'node:crypto'
import { createAdministrator } from '@clinic-data/administration/administrators'
import { createBackend } from '@clinic-data/backend'
import { type Clinic, readScopes, type Scope } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { type Database, sql } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import { authorizationRequest, newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import type { TestDatabase } from '@clinic-data/testing/run/test-database'
import { clinicWithoutKeys, failingLog } from '@clinic-data/testing/run/test-database'
import type { DocumentClientOptions } from '@clinic-data/webhooks/receiver/document-client'
import { openApps } from '../src/apps/open-apps.ts'
import { allowRequest } from '../src/consent/consent.ts'
import type { Consenting } from '../src/consent/new-connection.ts'
import { answerApp } from '../src/endpoints/answer-app.ts'

export const BASE_URL = 'https://api.clinic.example'
export const CONSOLE_URL = 'https://console.clinic.example'
export const REDIRECT = 'https://app.example/callback'

export interface Person {
  readonly clinic: Clinic
  readonly id: string
}

interface Reading {
  /** Of documents. Default: none is read from this machine. */
  readonly reading?: DocumentClientOptions
  readonly log?: Log
}

/** One whose clock only a test moves. What it waits for is in `waits`. */
export function openConnect(
  { owner, app }: Pick<TestDatabase, 'owner' | 'app'>,
  { reading = {}, log = failingLog }: Reading = {},
) {
  let aheadMs = 0
  const waits: number[] = []
  const now = () => new Date(Date.now() + aheadMs)
  const wait = async (ms: number) => {
    waits.push(ms)
  }
  const settings = { database: owner, baseUrl: BASE_URL, consoleUrl: CONSOLE_URL, policy: 'any' as const }
  const connect = { ...settings, mayRegister: true, now, log, wait }
  const { apps, authentication } = openApps(connect, reading)
  const answer = answerApp({ connect, authentication })
  const backend = createBackend({ database: app, now, log: failingLog })
  const post = async (endpoint: 'token' | 'revoke' | 'device', form: Record<string, string>, address = '192.0.2.7') => {
    const context = { request_id: randomUUID(), deadline: Date.now() + 10_000 }
    const { status, body, is_guess = false } = await answer(endpoint, { form, authorization: null, address }, context)
    return { status, body: (body ?? {}) as Record<string, string>, is_guess }
  }
  return {
    apps,
    waits,
    now,
    post,
    connect,
    advance: (ms: number) => {
      aheadMs += ms
    },
    principal: (token = '') => backend.authenticate(hashKey(token)),
    consent: { apps, baseUrl: BASE_URL },
  }
}

export type Connect = ReturnType<typeof openConnect>

/** A public app of the operator's. @returns its id. */
export async function storeApp(owner: Database, redirect = REDIRECT): Promise<string> {
  const id = `app_${randomBytes(8).toString('hex')}`
  await owner.query(sql`insert into app (id, kind, name, redirect_uris, authentication, created_at)
    values (${id}, 'registered', 'Desk', ${[redirect]}, 'none', now())`)
  return id
}

export async function newPerson(owner: Database, of?: Clinic): Promise<Person> {
  const clinic = of ?? (await clinicWithoutKeys(owner))
  const email = `noa.${randomBytes(4).toString('hex')}@clinic.example`
  const { id } = await createAdministrator(owner, {
    clinic_id: clinic.clinic_id,
    email,
    name: 'Noa Levi',
    now: new Date(),
  })
  return { clinic, id }
}

export function consenting({ now }: Connect, database: Database, { clinic, id }: Person): Consenting {
  return {
    database,
    clinic,
    administrator_id: id,
    now: now(),
    requireApproval: async () => undefined,
    record: () => undefined,
  }
}

export function requestOf(client_id: string, verifier: string, more: Record<string, string> = {}): string {
  return authorizationRequest(verifier, { client_id, redirect_uri: REDIRECT, state: 'st', ...more })
}

export interface Consent {
  readonly scopes?: readonly Scope[]
  readonly days?: number | null
  readonly more?: Record<string, string>
}

/** The person allows the app. @returns the form of the exchange. */
export async function allowed(
  opened: Connect,
  owner: Database,
  person: Person,
  client_id: string,
  { scopes = readScopes, days = null, more = {} }: Consent = {},
) {
  const verifier = newVerifier()
  const request = requestOf(client_id, verifier, more)
  const allowed = { scopes, days, mint_request: randomUUID() }
  const address = await allowRequest(opened.consent, consenting(opened, owner, person), request, allowed)
  const code = new URL(address).searchParams.get('code') ?? ''
  const { redirect_uri = REDIRECT } = more
  return { grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri }
}

/** @returns the first tokens. */
export async function connected(
  opened: Connect,
  owner: Database,
  person: Person,
  client_id: string,
  consent: Consent = {},
): Promise<Record<string, string>> {
  return (await opened.post('token', await allowed(opened, owner, person, client_id, consent))).body
}
