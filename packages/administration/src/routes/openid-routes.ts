// The routes of signing in by the identity provider: which ways there are, sending a browser there, and what happens when it comes back.

import { CONFIRMED_BY_PROVIDER } from '@clinic-data/console-contract/confirm-operations'
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { OPENID_AUDITED, OPENID_OUTCOMES } from '@clinic-data/console-contract/openid-operations'
import { Problem } from '@clinic-data/contract'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { Transaction } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import { WaitingLine } from '@clinic-data/surface/waiting-line'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirmByProvider } from '../confirming/confirm-by-provider.ts'
import { signInByOpenId } from '../openid/openid-sign-in.ts'
import { untilPersonsEnd } from '../people/person-connections.ts'
import { requireOwnPage } from '../sessions/own-page.ts'
import { cookieToken, sessionCookie } from '../sessions/session-cookie.ts'
import { findSession } from '../sessions/sessions.ts'
import type { SignInCount } from '../sessions/sign-in-count.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { accountOf, browserCookie } from '../sign-in/known-browser.ts'
import { attemptCookie, endedAttemptCookie, type KeptAttempt, keptAttempt } from '../sign-in/openid-cookie.ts'
import type { ConfirmedSession, OpenIdPerson, OpenIdProvider } from '../sign-in/openid-provider.ts'
import { type OwnAddress, ownAddress } from '../sign-in/own-address.ts'
import type { KnownAdministrator, SignInOutcome } from '../sign-in/sign-in.ts'
import { type AuditedChange, auditGroupChange, auditRefusal, auditWithChange } from './console-audit.ts'
import { inputReader } from './console-input.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
/** The page, which is the same for everyone. It then asks for its session. */
const PAGE = '/console/'
const [REFUSED, STOPPED, UNCONFIRMED] = OPENID_OUTCOMES.map((outcome) => `${PAGE}#openid=${outcome}`)
/** The row of a refusal says so, though the browser is led on. */
const REFUSED_STATUS = 401
/** As of the other ways. */
const CONFIRMED_STATUS = 204

export function signInWaysRoute(provider: OpenIdProvider | null) {
  const serialize = serializerOf(consoleOperations.signInWays.output)
  const openid = provider && { name: provider.name, is_required: provider.isRequired }
  const answer = serialize({ data: { openid } })
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.type(JSON_TYPE).send(answer)
}

export function beginOpenIdRoute(parts: ConsoleParts, provider: OpenIdProvider | null) {
  const operation = consoleOperations.beginOpenId
  const read = inputReader(operation)
  const serialize = serializerOf(operation.output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isSecure = parts.isSecure(request.raw)
    requireOwnPage(request.headers, isSecure)
    const { body } = await read(request.raw, request.params)
    const { clinic_id } = body as { clinic_id: string }
    const address = ownAddress(request.raw, isSecure)
    const { attempt, url } = await askProvider(parts, provider, { clinic_id, address })
    reply.header('set-cookie', attemptCookie(parts.signInKeys, attempt, { now: parts.now(), isSecure }))
    return reply.type(JSON_TYPE).send(serialize({ data: { url } }))
  }
}

interface Leaving {
  clinic_id: string
  address: OwnAddress | null
  /** The session whose person confirms. Absent: a sign-in. */
  confirms?: ConfirmedSession
}

/** @throws Problem 404 without a provider, 503 when it cannot be reached. */
export async function askProvider(
  { log }: Pick<ConsoleParts, 'log'>,
  provider: OpenIdProvider | null,
  { clinic_id, address, confirms }: Leaving,
) {
  if (provider === null || address === null) throw new Problem('not-found', 'There is no identity provider.')
  return provider.begin(clinic_id, address.origin, confirms).catch((error: unknown) => {
    log.warn(reasonOf(error), 'the identity provider of the console could not be asked')
    throw new Problem('service-unavailable', 'The identity provider cannot be reached.', { retry_after: 5 })
  })
}

/** Always leads to the page. Nothing of the request decides where. */
export function openIdReturnRoute(parts: ConsoleParts, provider: OpenIdProvider | null, signIns: SignInCount) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isSecure = parts.isSecure(request.raw)
    const cookies = [endedAttemptCookie(isSecure)]
    const outcome = provider === null ? NO_ATTEMPT : await comeBack(parts, provider, request)
    if (outcome.state === 'begun') cookies.push(...(await cookiesOf(parts, outcome.token, isSecure)))
    if (outcome.state === 'stopped') signIns.count('provider', 'refused', outcome.reason)
    else signIns.count('provider', outcome.state === 'unconfirmed' ? 'refused' : outcome.state)
    const place = {
      stopped: outcome.state === 'stopped' && outcome.confirms ? UNCONFIRMED : STOPPED,
      begun: PAGE,
      confirmed: PAGE,
      unconfirmed: UNCONFIRMED,
      refused: REFUSED,
      locked: REFUSED,
    }[outcome.state]
    return reply.header('set-cookie', cookies).redirect(place ?? PAGE, 303)
  }
}

/** The session's, and the browser's: it has signed in to this account. */
async function cookiesOf(
  { consoleDatabase, signInKeys, now }: ConsoleParts,
  token: string,
  isSecure: boolean,
): Promise<string[]> {
  const session = await tellingOutages(findSession)(consoleDatabase, token, { now: now(), isUse: true })
  // It was disabled in the meantime.
  if (session === null) return []
  return [sessionCookie(token, isSecure), browserCookie(signInKeys, accountOf(session), isSecure)]
}

/** It is not known who came back. */
interface Stopped {
  state: 'stopped'
  /** For the log. */
  reason: string
  /** In a session that had begun. */
  confirms?: boolean
}

/** Whether the person of a session was confirmed. */
interface Confirmation {
  state: 'confirmed' | 'unconfirmed'
}

const NO_ATTEMPT: Stopped = { state: 'stopped', reason: 'no attempt under way' }

async function comeBack(
  parts: ConsoleParts,
  provider: OpenIdProvider,
  request: FastifyRequest,
): Promise<SignInOutcome | Confirmation | Stopped> {
  const { consoleDatabase, signInKeys } = parts
  const now = parts.now()
  const isSecure = parts.isSecure(request.raw)
  const address = parts.addressOf(request.raw)
  const kept = keptAttempt(signInKeys, request.headers.cookie, { now, isSecure })
  if (kept === null) return NO_ATTEMPT
  const { confirms } = kept.attempt
  const came = await whoCame(parts, provider, kept, request)
  if ('reason' in came) return { ...came, confirms: confirms !== undefined }
  const where = { ids: [], request_id: request.requestId, address }
  if (confirms) return confirm(parts, came, { kept, confirms, now, where })
  const row = { ...where, operation: OPENID_AUDITED }
  const attempting = {
    now,
    signInKeys,
    record: (tx: Transaction, known: KnownAdministrator, operation: string) =>
      auditGroupChange(parts, tx, { ...known, operation, request_id: request.requestId, address }),
    replaced: cookieToken(request.headers.cookie, isSecure),
    user_agent: request.headers['user-agent'] ?? '',
    beside: (tx: Transaction, known: KnownAdministrator) =>
      auditWithChange(parts, tx, { ...row, ...known, status: consoleOperations.signIn.status }),
  }
  const outcome = await tellingOutages(signInByOpenId)(consoleDatabase, came, kept, attempting)
  if (outcome.end) await tellingOutages(untilPersonsEnd)(consoleDatabase, outcome.end, parts.wait)
  if (outcome.state !== 'begun' && outcome.known !== null)
    await auditRefusal(parts, { ...row, ...outcome.known, status: REFUSED_STATUS, problem: 'unauthorized' })
  return outcome
}

interface CameToConfirm {
  kept: KeptAttempt
  confirms: ConfirmedSession
  now: Date
  where: Pick<AuditedChange, 'ids' | 'request_id' | 'address'>
}

/** An answer to a confirmation never begins a session. */
async function confirm(
  parts: ConsoleParts,
  came: OpenIdPerson,
  { kept, confirms, now, where }: CameToConfirm,
): Promise<Confirmation> {
  const { clinic_id } = kept.attempt
  const { administrator_id } = confirms
  const row = { ...where, operation: CONFIRMED_BY_PROVIDER, clinic_id, administrator_id }
  const beside = (tx: Transaction) => auditWithChange(parts, tx, { ...row, status: CONFIRMED_STATUS })
  const isConfirmed = await tellingOutages(confirmByProvider)(parts.consoleDatabase, came, kept, confirms, {
    now,
    beside,
  })
  if (isConfirmed) return { state: 'confirmed' }
  await auditRefusal(parts, { ...row, status: REFUSED_STATUS, problem: 'unauthorized' })
  return { state: 'unconfirmed' }
}

/** The provider is asked about each who comes back. Addresses take turns, so that nobody locks out others there or here. */
const asking = new WaitingLine({ atOnce: 4, share: 1, longest: 20 })

async function whoCame(
  { blockOf, addressOf }: ConsoleParts,
  provider: OpenIdProvider,
  { attempt }: KeptAttempt,
  { raw }: FastifyRequest,
): Promise<OpenIdPerson | Stopped> {
  const { search } = new URL(raw.url ?? '', attempt.origin)
  try {
    const person = await asking.run(blockOf(addressOf(raw)), () => provider.finish(attempt, search))
    return person ?? { state: 'stopped', reason: 'nobody was named' }
  } catch (error) {
    return { state: 'stopped', ...reasonOf(error) }
  }
}

const CODE = /^[\w-]{1,64}$/

/** Names of errors alone: their texts and causes may hold what the provider or the browser sent. */
function reasonOf(error: unknown): { reason: string } {
  const { code, error: errorCode, cause } = error as { code?: unknown; error?: unknown; cause?: { code?: unknown } }
  const known = [code, cause?.code, errorCode].filter((one) => typeof one === 'string' && CODE.test(one))
  return { reason: known.join(' ') || (error as Error).name }
}
