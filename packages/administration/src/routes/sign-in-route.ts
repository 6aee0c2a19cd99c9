// The routes that begin a session: by a password, a link or a passkey.

import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { Problem } from '@clinic-data/contract'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { Transaction } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { offerOf } from '../pairings/offer-cookie.ts'
import { requireOwnPage } from '../sessions/own-page.ts'
import { cookieToken, sessionCookie } from '../sessions/session-cookie.ts'
import { findSession } from '../sessions/sessions.ts'
import type { SignInCount } from '../sessions/sign-in-count.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { type Account, accountOf, browserCookie, browserCookieValue, knownBrowser } from '../sign-in/known-browser.ts'
import { refuseBesideProvider } from '../sign-in/only-provider.ts'
import { ownAddress } from '../sign-in/own-address.ts'
import type { SignedAnswer } from '../sign-in/passkey-answer.ts'
import { passkeyCookieValue } from '../sign-in/passkey-cookie.ts'
import { type PasskeyAttempting, signInByPasskey } from '../sign-in/passkey-sign-in.ts'
import { type GivenPassword, type PasswordAttempting, signInByPassword } from '../sign-in/password-sign-in.ts'
import { type KnownAdministrator, type SignInOutcome, signInByLink } from '../sign-in/sign-in.ts'
import { tooMany } from '../sign-in/too-many.ts'
import { auditRefusal, auditWithChange } from './console-audit.ts'
import { shownSession } from './console-handlers.ts'
import { inputReader } from './console-input.ts'

export const LINK_REFUSED = 'This link was used, has expired or never existed. Ask your operator for a new one.'

/** The same words for every cause. */
const REFUSED = {
  signIn: 'The clinic, the email or the password is wrong.',
  signInByLink: LINK_REFUSED,
  signInByPasskey: 'This passkey does not open the console, or the answer came too late.',
} as const

/** As they are counted. */
const WAYS = { signIn: 'password', signInByLink: 'link', signInByPasskey: 'passkey' } as const

type SignInName = keyof typeof REFUSED
type Attempt = (
  parts: ConsoleParts,
  body: unknown,
  attempt: PasskeyAttempting & PasswordAttempting,
) => Promise<SignInOutcome>

/** Each body was checked by its own schema. */
const attempts: Readonly<Record<SignInName, Attempt>> = {
  signIn: ({ consoleDatabase }, body, attempt) => signInByPassword(consoleDatabase, body as GivenPassword, attempt),
  signInByLink: ({ consoleDatabase }, body, attempt) =>
    signInByLink(consoleDatabase, (body as { token: string }).token, attempt),
  signInByPasskey: ({ consoleDatabase }, body, attempt) =>
    signInByPasskey(consoleDatabase, body as SignedAnswer, attempt),
}

export function signInRoute(parts: ConsoleParts, name: SignInName, signIns: SignInCount) {
  const operation = consoleOperations[name]
  const { audited } = operation
  const { consoleDatabase, failedSignIns, signInKeys, passwordCost } = parts
  const read = inputReader(operation)
  const serialize = serializerOf(operation.output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const now = parts.now()
    const isSecure = parts.isSecure(request.raw)
    const address = parts.addressOf(request.raw)
    requireOwnPage(request.headers, isSecure)
    const { body } = await read(request.raw, request.params)
    if (name !== 'signInByLink') refuseBesideProvider(parts)
    const replaced = cookieToken(request.headers.cookie, isSecure)
    const browser = browserCookieValue(request.headers.cookie, isSecure)
    const attempt = {
      user_agent: request.headers['user-agent'] ?? '',
      keys: signInKeys,
      boundTo: passkeyCookieValue(request.headers.cookie, isSecure),
      address: ownAddress(request.raw, isSecure),
      failedSignIns,
      client: { address, block: parts.blockOf(address) },
      passwordCost,
      browserOf: (account: Account) => knownBrowser(signInKeys, browser, account),
    }
    const row = { operation: audited ?? operation.id, ids: [], request_id: request.requestId, address }
    const beside = (tx: Transaction, known: KnownAdministrator) =>
      auditWithChange(parts, tx, { ...row, ...known, status: operation.status })
    const outcome = await tellingOutages(attempts[name])(parts, body, { ...attempt, replaced, now, beside })
    signIns.count(WAYS[name], outcome.state)
    if (outcome.state !== 'begun') {
      const problem = outcome.state === 'locked' ? tooMany(outcome.seconds) : new Problem('unauthorized', REFUSED[name])
      if (outcome.known !== null)
        await auditRefusal(parts, { ...row, ...outcome.known, status: problem.status, problem: problem.slug })
      throw problem
    }
    const session = await tellingOutages(findSession)(consoleDatabase, outcome.token, { now, isUse: true })
    // It was disabled in the meantime.
    if (session === null) throw new Problem('unauthorized', REFUSED[name])
    const account = accountOf(session)
    reply.header('set-cookie', [sessionCookie(outcome.token, isSecure), browserCookie(signInKeys, account, isSecure)])
    reply.code(operation.status).type('application/json; charset=utf-8')
    const offer = offerOf(signInKeys, request.headers.cookie, { now, isSecure })
    return reply.send(serialize({ data: shownSession(parts, session, { offer, now }) }))
  }
}
