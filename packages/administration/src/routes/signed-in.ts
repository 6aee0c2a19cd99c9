// Finds the session of a request by its cookie. Every operation behind the sign-in begins here.
import type { IncomingMessage } from 'node:http'
import { CONSOLE_READER_HEADER, CONSOLE_WATCH_HEADER } from '@clinic-data/console-contract/console-operations'
import type { OpenOperationId } from '@clinic-data/console-contract/open-operations'
import type { Role } from '@clinic-data/console-contract/role-names'
import { rolesOfOpen, scopesFor } from '@clinic-data/console-contract/roles'
import { type Grant, type Operation, type Principal, Problem } from '@clinic-data/contract'
import type { ClinicDatabase } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import { noLongerValid, type StillValid } from '@clinic-data/surface/still-valid'
import { requireAsWeighed } from '../approvals/weighed-webhook.ts'
import { type GroupParts, type RecordGroup, stillInGroup } from '../openid/still-in-group.ts'
import { clinicAt, refuseOtherPage, requireOwnPage } from '../sessions/own-page.ts'
import { findOpened } from '../sessions/paired-session.ts'
import { requireRole } from '../sessions/required-role.ts'
import { cookieToken } from '../sessions/session-cookie.ts'
import { type ActiveSession, isHeld, sessionStillValidBeside } from '../sessions/sessions.ts'
import { notAsDemanded } from '../sessions/sign-in-demand.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { auditGroupChange } from './console-audit.ts'

const READS: readonly (string | undefined)[] = ['GET', 'HEAD']
const REFUSED = 'Sign in first. A session ends when it is left alone, and after a day at work.'

const SOMEBODY_ELSE = 'Somebody else has signed in to this browser since. Sign in again.'

const find = tellingOutages(findOpened)
const inGroup = tellingOutages(stillInGroup)

type Parts = GroupParts & Pick<ConsoleParts, 'isSecure' | 'addressOf'>

interface Asking {
  /** For the row of what the provider's answer changes. */
  request_id: string
  /** Also a session that did not begin as the clinic demands may do this. It opens nothing of the clinic, so no group is asked about. */
  isOpenWhileHeld?: boolean
}

/**
 * @throws Problem 401 without a session that lasts, and when no group gives the person the role any more, 403 for one that the clinic's demand holds,
 * for a change that the console's own page did not send, and for a read that another page did.
 */
export async function signedIn(
  parts: Parts,
  request: IncomingMessage,
  { request_id, isOpenWhileHeld = false }: Asking,
): Promise<ActiveSession> {
  const session = await sessionOf(parts, request)
  if (isOpenWhileHeld) return session
  if (isHeld(session)) throw notAsDemanded(session.demand)
  const record: RecordGroup = (tx, { clinic: { clinic_id }, administrator: { id } }, operation) =>
    auditGroupChange(parts, tx, {
      clinic_id,
      administrator_id: id,
      operation,
      request_id,
      address: parts.addressOf(request),
    })
  return (await inGroup(parts, session, record)) ? sessionOf(parts, request) : session
}

async function sessionOf(
  { consoleDatabase, now, isSecure }: Pick<ConsoleParts, 'consoleDatabase' | 'now' | 'isSecure'>,
  request: IncomingMessage,
): Promise<ActiveSession> {
  const isRead = READS.includes(request.method)
  const secure = isSecure(request)
  if (isRead) refuseOtherPage(request.headers)
  else requireOwnPage(request.headers, secure)
  const token = cookieToken(request.headers.cookie, secure)
  // A page that is left open reads again and again by itself. Nobody uses it then.
  const isUse = !(isRead && request.headers[CONSOLE_WATCH_HEADER] === '1')
  const session =
    token === null ? null : await find(consoleDatabase, { token, at: clinicAt(request.headers) }, { now: now(), isUse })
  if (session === null) throw new Problem('unauthorized', REFUSED)
  const { [CONSOLE_READER_HEADER]: reader = session.administrator.id } = request.headers
  if (reader !== session.administrator.id) throw new Problem('unauthorized', SOMEBODY_ELSE)
  return session
}

/** Who calls an operation of the contract in the console. */
export interface Caller {
  readonly session: ActiveSession
  /** From where. */
  readonly address: string
}

const callers = new WeakMap<Principal, Caller>()

/** Who is behind a principal. Undefined for whoever came by another way. */
export function callerBehind(principal: Principal): Caller | undefined {
  return callers.get(principal)
}

/** A person may see as much of the clinic as the role allows. @throws Problem 403 when the role may not call the operation. */
export function principalOf({ session, address }: Caller, operation: Operation | null): Principal {
  const { administrator, clinic, expiresAt } = session
  requireRole(administrator.role, operation === null ? [] : rolesFor(operation))
  const principal = {
    key_id: administrator.id,
    clinic,
    scopes: scopesFor(administrator.role),
    rate_limit: null,
    expires_at: expiresAt.getTime(),
  }
  callers.set(principal, { session, address })
  return principal
}

/** The check of the contract's writes, for a backend that only administrators ask. Nobody else may write there. */
export function administratorsStillValid(consoleDatabase: ClinicDatabase): (grant: Grant) => StillValid {
  return (grant) => async (tx) => {
    const session = callers.get(grant.principal)?.session
    if (session === undefined) throw noLongerValid()
    await sessionStillValidBeside(consoleDatabase, session, rolesFor(grant.operation))(tx)
    await requireAsWeighed(tx, grant)
  }
}

/** Nobody, for an operation that the console does not open. */
export function rolesFor({ id }: Operation): readonly Role[] {
  return Object.hasOwn(rolesOfOpen, id) ? rolesOfOpen[id as OpenOperationId] : []
}
