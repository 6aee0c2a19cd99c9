// A public app that the operator has registered, with requests as they stand in the standards.
import assert from 'node:assert/strict'
import { authorizationRequest, newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import type { ConnectSite, Person } from './connect-site.ts'

/** A program on a computer: its connections of one person stand beside each other. */
const REDIRECT = 'http://127.0.0.1/callback'

export type Form = Record<string, string>

export interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}

export type App = Awaited<ReturnType<typeof newApp>>

export async function newApp(site: ConnectSite) {
  const made = await site.apps('create', '--name', 'CRM', '--redirect', REDIRECT, '--json')
  const { client_id } = JSON.parse(made) as { client_id: string }

  /** A code that the person has allowed. @returns the form of its exchange. */
  async function allowed(person: Person): Promise<Form> {
    const code_verifier = newVerifier()
    const address = new URL(`${site.consoleUrl}/console/authorize`)
    address.search = authorizationRequest(code_verifier, { client_id, redirect_uri: REDIRECT, scope: 'patients:read' })
    const code = (await person.allow(address)).searchParams.get('code') ?? ''
    return { grant_type: 'authorization_code', code, code_verifier, redirect_uri: REDIRECT }
  }

  const send = (form: Form) =>
    fetch(`${site.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams({ ...form, client_id }) })

  const post = async (form: Form) => (await (await send(form)).json()) as Partial<Pair> & { error?: string }

  async function taken(form: Form): Promise<Pair> {
    const { access_token, refresh_token, error } = await post(form)
    if (access_token === undefined || refresh_token === undefined) assert.fail(error)
    return { access_token, refresh_token }
  }

  return {
    client_id,
    allowed,
    send,
    post,
    connect: async (person: Person) => taken(await allowed(person)),
    renew: (refresh_token: string) => taken({ grant_type: 'refresh_token', refresh_token }),
  }
}
