// Apps that ask the console's administrators for access, for its tests: what each sends, and the rows that it needs.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { answerApp } from '@clinic-data/connect/answer-app'
import { consoleConnect } from '@clinic-data/connect/console-connect'
import { openApps } from '@clinic-data/connect/open-apps'
import { type Database, sql } from '@clinic-data/database'
import { authorizationRequest, newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { BASE_URL, type Console, send } from './console-ground.ts'

export const REDIRECT = 'https://app.example/callback'

/** The parts of a console to which apps can be connected, and what answers these. */
export function connecting(database: Database, now: () => Date = () => new Date()) {
  const settings = { database, baseUrl: BASE_URL, consoleUrl: 'https://console.clinic.example', policy: 'any' as const }
  const connect = { ...settings, mayRegister: false, now, log: failingLog, wait: async () => undefined }
  // The documents of tests' apps are on this machine, and some cannot be used.
  const quietLog = { ...failingLog, warn: () => undefined }
  const { apps, authentication } = openApps({ ...connect, log: quietLog }, { allowCidrs: ['127.0.0.0/8'] })
  const answer = answerApp({ connect, authentication })
  return {
    connect: consoleConnect({ apps, baseUrl: BASE_URL, database }),
    token: async (form: Record<string, string>) => {
      const context = { request_id: randomUUID(), deadline: Date.now() + 10_000 }
      const { status, body } = await answer('token', { form, authorization: null, address: '192.0.2.7' }, context)
      return { status, body: (body ?? {}) as Record<string, string> }
    },
  }
}

/** A public app of the operator's. @returns its id. */
export async function storeApp(owner: Database, redirect = REDIRECT): Promise<string> {
  const id = `app_${randomBytes(8).toString('hex')}`
  await owner.query(sql`insert into app (id, kind, name, redirect_uris, authentication, created_at)
    values (${id}, 'registered', 'Desk', ${[redirect]}, 'none', now())`)
  return id
}

/** A device of the app waits. @returns the code that it shows. */
export async function storeDevice(owner: Database, app_id: string): Promise<string> {
  const letters = 'BCDFGHJKLMNPQRSTVWXZ'
  const user_code = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
  await owner.query(sql`insert into device_request
      (device_hash, user_code, app_id, scopes, created_at, expires_at, state)
    values (${randomBytes(32).toString('hex')}, ${user_code}, ${app_id}, ${['patients:read', 'calls:read']}, now(),
      now() + interval '10 minutes', 'waiting')`)
  return user_code
}

/** @param more other parameters, or others in their place. */
export function requestOf(client_id: string, verifier = newVerifier(), more: Record<string, string> = {}): string {
  return authorizationRequest(verifier, { client_id, redirect_uri: REDIRECT, state: 'st', ...more })
}

export const once = () => ({ 'idempotency-key': randomUUID() })

interface Connecting {
  owner: Database
  cookie: string
  token: ReturnType<typeof connecting>['token']
}

/** The signed-in person allows an app of its own, which takes its tokens. */
export async function connectApp(
  opened: Console,
  { owner, cookie, token }: Connecting,
  scopes = ['patients:read'],
  chosen: { integration_id?: string } = {},
) {
  const client_id = await storeApp(owner)
  const verifier = newVerifier()
  const body = { request: requestOf(client_id, verifier, { scope: scopes.join(' ') }), scopes, days: null, ...chosen }
  const { json } = await send(opened, '/connect/allow', { cookie, body, headers: once() })
  const code = new URL(json.data.redirect_to).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri: REDIRECT }
  const tokens = (await token(form)).body
  const { json: listed } = await send(opened, '/connections', { method: 'GET', cookie })
  return { client_id, tokens, id: String(listed.data[0].id) }
}
