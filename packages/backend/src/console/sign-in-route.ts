// The two routes that begin a session: by a password, and by a link.
import { Problem } from '@clinic-data/contract'
import { consoleOperations } from '@clinic-data/contract/console/console-operations'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { Database, Transaction } from '@clinic-data/database'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tellingOutages } from '../outage.ts'
import { auditRefusal, auditWithChange } from './console-audit.ts'
import { shownSession } from './console-handlers.ts'
import { inputReader } from './console-input.ts'
import type { ConsoleParts } from './console-parts.ts'
import { requireOwnPage } from './own-page.ts'
import { cookieToken, sessionCookie } from './session-cookie.ts'
import { findSession } from './sessions.ts'
import {
  type Attempting,
  type GivenPassword,
  type KnownAdministrator,
  type SignInOutcome,
  signIn,
  signInByLink,
} from './sign-in.ts'
import { tooMany } from './too-many.ts'

/** The same words for every cause. */
const REFUSED = {
  signIn: 'The clinic, the email or the password is wrong.',
  signInByLink: 'This link was used, has expired or never existed. Ask your operator for a new one.',
} as const

/** At most so long an address waits: as long as its failures are counted. */
const EXHAUSTED_SECONDS = 60

const attempts = {
  signIn: (owner: Database, body: unknown, attempt: Attempting) => signIn(owner, body as GivenPassword, attempt),
  signInByLink: (owner: Database, body: unknown, attempt: Attempting) =>
    signInByLink(owner, (body as { token: string }).token, attempt),
} as const

export function signInRoute(parts: ConsoleParts, name: keyof typeof attempts) {
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
    const user_agent = request.headers['user-agent'] ?? ''
    const row = { operation: audited ?? operation.id, ids: [], request_id: request.consoleId, address }
    const beside = (tx: Transaction, known: KnownAdministrator) =>
      auditWithChange(parts, tx, { ...row, ...known, status: operation.status })
    const attempt = tellingOutages(() => attempts[name](owner, body, { replaced, user_agent, now, beside }))
    const outcome = await failedSignIns.during(address, attempt)
    if (outcome.state !== 'begun') {
      const problem = refusal(outcome, failedSignIns.fail(address), REFUSED[name])
      if (outcome.known !== null) await auditRefusal(parts, { ...row, ...outcome.known, status: problem.status })
      throw problem
    }
    const session = await tellingOutages(findSession)(owner, outcome.token, { now, isUse: true })
    // It was disabled in the meantime.
    if (session === null) throw new Problem('unauthorized', REFUSED[name])
    reply.header('set-cookie', sessionCookie(outcome.token, isSecure))
    reply.code(operation.status).type('application/json; charset=utf-8')
    return reply.send(serialize({ data: shownSession(parts, session) }))
  }
}

function refusal(outcome: SignInOutcome, addressWaits: number | null, refused: string): Problem {
  if (outcome.state === 'locked') return tooMany(outcome.seconds)
  return addressWaits === null ? new Problem('unauthorized', refused) : tooMany(addressWaits)
}
