// The routes that begin a session: by a password, a link or a passkey.
import { Problem } from '@clinic-data/contract'
import { consoleOperations } from '@clinic-data/contract/console/console-operations'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { Transaction } from '@clinic-data/database'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tellingOutages } from '../outage.ts'
import { auditRefusal, auditWithChange } from './console-audit.ts'
import { shownSession } from './console-handlers.ts'
import { inputReader } from './console-input.ts'
import type { ConsoleParts } from './console-parts.ts'
import { ownAddress } from './own-address.ts'
import { requireOwnPage } from './own-page.ts'
import type { SignedAnswer } from './passkey-answer.ts'
import { passkeyCookieValue } from './passkey-cookie.ts'
import { type PasskeyAttempting, signInByPasskey } from './passkey-sign-in.ts'
import { cookieToken, sessionCookie } from './session-cookie.ts'
import { findSession } from './sessions.ts'
import { type GivenPassword, type KnownAdministrator, type SignInOutcome, signIn, signInByLink } from './sign-in.ts'
import { EXHAUSTED_SECONDS, tooMany } from './too-many.ts'

export const LINK_REFUSED = 'This link was used, has expired or never existed. Ask your operator for a new one.'

/** The same words for every cause. */
const REFUSED = {
  signIn: 'The clinic, the email or the password is wrong.',
  signInByLink: LINK_REFUSED,
  signInByPasskey: 'This passkey does not open the console, or the answer came too late.',
} as const

type WayIn = keyof typeof REFUSED
type Attempt = (parts: ConsoleParts, body: unknown, attempt: PasskeyAttempting) => Promise<SignInOutcome>

/** Each body was checked by its own schema. */
const attempts: Readonly<Record<WayIn, Attempt>> = {
  signIn: ({ owner }, body, attempt) => signIn(owner, body as GivenPassword, attempt),
  signInByLink: ({ owner }, body, attempt) => signInByLink(owner, (body as { token: string }).token, attempt),
  signInByPasskey: ({ owner }, body, attempt) => signInByPasskey(owner, body as SignedAnswer, attempt),
}

export function signInRoute(parts: ConsoleParts, name: WayIn) {
  const operation = consoleOperations[name]
  const { audited } = operation
  const { owner, failedSignIns } = parts
  const read = inputReader(operation)
  const serialize = serializerOf(operation.output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const now = parts.now()
    const isSecure = parts.isSecure(request.raw)
    const address = parts.addressOf(request.raw)
    requireOwnPage(request.headers, isSecure)
    const { body } = await read(request.raw, request.params)
    if (failedSignIns.isExhausted(address)) throw tooMany(EXHAUSTED_SECONDS)
    const replaced = cookieToken(request.headers.cookie, isSecure)
    const given = {
      user_agent: request.headers['user-agent'] ?? '',
      keys: parts.signInKeys,
      boundTo: passkeyCookieValue(request.headers.cookie, isSecure),
      address: ownAddress(request.raw, isSecure),
    }
    const row = { operation: audited ?? operation.id, ids: [], request_id: request.consoleId, address }
    const beside = (tx: Transaction, known: KnownAdministrator) =>
      auditWithChange(parts, tx, { ...row, ...known, status: operation.status })
    const attempt = tellingOutages(() => attempts[name](parts, body, { ...given, replaced, now, beside }))
    const outcome = await failedSignIns.during(address, attempt)
    if (outcome.state !== 'begun') {
      const problem = refusal(outcome, failedSignIns.fail(address), REFUSED[name])
      if (outcome.known !== null)
        await auditRefusal(parts, { ...row, ...outcome.known, status: problem.status, problem: problem.slug })
      throw problem
    }
    const session = await tellingOutages(findSession)(owner, outcome.token, { now, isUse: true })
    // It was disabled in the meantime.
    if (session === null) throw new Problem('unauthorized', REFUSED[name])
    reply.header('set-cookie', sessionCookie(outcome.token, isSecure))
    reply.code(operation.status).type('application/json; charset=utf-8')
    return reply.send(serialize({ data: shownSession(parts, session, now) }))
  }
}

function refusal(outcome: SignInOutcome, addressWaits: number | null, refused: string): Problem {
  if (outcome.state === 'locked') return tooMany(outcome.seconds)
  return addressWaits === null ? new Problem('unauthorized', refused) : tooMany(addressWaits)
}
