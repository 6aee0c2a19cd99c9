// A person's answer to an app that asks for access: what it asks, yes with fewer scopes or as many, or no.
import type { ShownAccess } from '@clinic-data/console-contract/connect-operations'
import type { Scope } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { Audience } from '@clinic-data/contract/grant'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import type { App } from '../apps/app.ts'
import { isOnThisComputer } from '../apps/redirects.ts'
import { CODE_MS, later } from '../tokens/lifetimes.ts'
import { codeAddress, errorAddress } from './authorization-answer.ts'
import { type AuthorizationRequest, type ConsentParts, readRequest } from './authorization-request.ts'
import { type Allowed, type Consenting, connect } from './new-connection.ts'
import { type Standing, standingOf } from './standing.ts'

/** @throws Problem 422 when nobody may be sent back. */
export async function lookAtRequest(
  parts: ConsentParts,
  { database, clinic }: Pick<Consenting, 'database' | 'clinic'>,
  text: string,
): Promise<{ access: ShownAccess | null; redirect_to: string | null }> {
  const read = await readRequest(parts, clinic.clinic_id, text)
  if ('fault' in read) return { access: null, redirect_to: errorAddress(read, parts.baseUrl, read.fault) }
  return { access: shownAccess(read, await standingOf(database, clinic, read.app)), redirect_to: null }
}

/**
 * @returns the address with the code, for the browser.
 * @throws Problem 422 for a faulty request and for scopes that it does not ask for, 403 for an app that the clinic does not allow, 409 when it was answered before.
 */
export async function allowRequest(
  parts: ConsentParts,
  person: Consenting,
  text: string,
  allowed: Allowed,
): Promise<string> {
  const read = await soundRequest(parts, person.clinic.clinic_id, text)
  const { app, audience, scopes: requested, redirectUri, codeChallenge } = read
  const code = makeKey('oac_live_')
  const { clinic_id } = person.clinic
  await connect(person, {
    app,
    audience,
    place: isOnThisComputer(redirectUri) ? 'computer' : 'web',
    requested,
    allowed,
    store: (tx, id) => {
      tx.send(sql`insert into connection_token
          (clinic_id, token_hash, kind, connection_id, created_at, expires_at, redirect_uri, code_challenge)
        values (${clinic_id}, ${hashKey(code)}, 'code', ${id}, ${person.now}, ${later(person.now, CODE_MS)},
          ${redirectUri}, ${codeChallenge})`)
    },
  })
  return codeAddress(read, parts.baseUrl, code)
}

/** @returns the address that tells the app. @throws Problem 422 when nobody may be sent back. */
export async function refuseRequest(parts: ConsentParts, person: Consenting, text: string): Promise<string> {
  const read = await readRequest(parts, person.clinic.clinic_id, text)
  await person.database.write(person.clinic, async (tx) => person.record(tx, []))
  const refusal = 'fault' in read ? read.fault : { code: 'access_denied' as const, message: 'The person refused.' }
  return errorAddress(read, parts.baseUrl, refusal)
}

async function soundRequest(parts: ConsentParts, clinic_id: string, text: string): Promise<AuthorizationRequest> {
  const read = await readRequest(parts, clinic_id, text)
  if (!('fault' in read)) return read
  const detail = `is refused: ${read.fault.message.replace(/\.$/, '')}`
  throw faultProblem('unprocessable', [{ pointer: '#/request', code: read.fault.code, detail }])
}

interface Shown {
  readonly app: App
  readonly scopes: readonly Scope[]
  readonly audience: Audience | null
  /** Absent: a device. */
  readonly redirectUri?: string
}

export function shownAccess({ app, scopes, audience, redirectUri }: Shown, standing: Standing): ShownAccess {
  const { id, name, host, isVerified: is_verified } = app
  return {
    app: { id, name, host, is_verified },
    returns_to: redirectUri === undefined ? '' : placeOf(redirectUri),
    is_on_this_computer: redirectUri !== undefined && isOnThisComputer(redirectUri),
    scopes: [...scopes],
    audience,
    ...standing,
  }
}

/** A program's own scheme has no host that says anything. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}
