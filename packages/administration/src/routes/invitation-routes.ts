// The routes of whoever has an invitation: looking at it, and accepting it. Nobody has signed in there.
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import type { InvitationEnd } from '@clinic-data/console-contract/people-operations'
import { Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { Transaction } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { offerOf } from '../pairings/offer-cookie.ts'
import { type Acceptance, acceptInvitation, lookAtInvitation } from '../people/accept-invitation.ts'
import { requireOwnPage } from '../sessions/own-page.ts'
import { cookieToken, sessionCookie } from '../sessions/session-cookie.ts'
import { findSession } from '../sessions/sessions.ts'
import type { SignInCount } from '../sessions/sign-in-count.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { accountOf, browserCookie } from '../sign-in/known-browser.ts'
import type { KnownAdministrator } from '../sign-in/sign-in.ts'
import { tooMany } from '../sign-in/too-many.ts'
import { auditWithChange } from './console-audit.ts'
import { shownSession } from './console-handlers.ts'
import { inputReader } from './console-input.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const ENDS: Readonly<Record<InvitationEnd, string>> = {
  unknown: 'is no invitation. Open the link as it was sent to you',
  used: 'was used. Sign in with your e-mail instead',
  withdrawn: 'was withdrawn. Ask an owner of the clinic for a new one',
  expired: 'has expired. Ask an owner of the clinic for a new one',
}

export function lookAtInvitationRoute(parts: ConsoleParts, signIns: SignInCount) {
  const operation = consoleOperations.lookAtInvitation
  const read = inputReader(operation)
  const serialize = serializerOf(operation.output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    requireOwnPage(request.headers, parts.isSecure(request.raw))
    const { body } = await read(request.raw, request.params)
    const { token } = body as { token: string }
    const looked = await tellingOutages(lookAtInvitation)(parts.consoleDatabase, token, parts.now())
    if ('end' in looked) {
      signIns.count('invitation', 'refused')
      throw ended(looked.end)
    }
    return reply.type(JSON_TYPE).send(serialize({ data: looked.seen }))
  }
}

export function acceptInvitationRoute(parts: ConsoleParts, signIns: SignInCount) {
  const operation = consoleOperations.acceptInvitation
  const { audited } = operation
  const { consoleDatabase, signInKeys } = parts
  const read = inputReader(operation)
  const serialize = serializerOf(operation.output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const now = parts.now()
    const isSecure = parts.isSecure(request.raw)
    requireOwnPage(request.headers, isSecure)
    const { body } = await read(request.raw, request.params)
    const row = { ids: [], request_id: request.requestId, address: parts.addressOf(request.raw) }
    const accepted = await tellingOutages(acceptInvitation)(consoleDatabase, {
      ...(body as { token: string; email: string }),
      now,
      beginsNothing: parts.openId?.isRequired ?? false,
      replaced: cookieToken(request.headers.cookie, isSecure),
      user_agent: request.headers['user-agent'] ?? '',
      beside: (tx: Transaction, known: KnownAdministrator) =>
        auditWithChange(parts, tx, { ...row, ...known, operation: audited ?? operation.id, status: operation.status }),
    })
    signIns.count('invitation', outcomeOf(accepted))
    if (accepted.state === 'made') return reply.type(JSON_TYPE).send(serialize({ data: null }))
    if (accepted.state !== 'begun') throw refusal(accepted)
    const session = await tellingOutages(findSession)(consoleDatabase, accepted.token, { now, isUse: true })
    // It was disabled in the meantime.
    if (session === null) throw ended('used')
    const account = accountOf(session)
    reply.header('set-cookie', [sessionCookie(accepted.token, isSecure), browserCookie(signInKeys, account, isSecure)])
    const offer = offerOf(signInKeys, request.headers.cookie, { now, isSecure })
    return reply.type(JSON_TYPE).send(serialize({ data: shownSession(parts, session, { offer, now }) }))
  }
}

function outcomeOf({ state }: Acceptance): 'begun' | 'refused' | 'locked' {
  if (state === 'begun' || state === 'made') return 'begun'
  return state === 'locked' ? 'locked' : 'refused'
}

function refusal(accepted: Exclude<Acceptance, { state: 'begun' | 'made' }>): Problem {
  if (accepted.state === 'locked') return tooMany(accepted.seconds)
  if (accepted.state === 'taken') return new Problem('conflict', TAKEN)
  if (accepted.state === 'ended') return ended(accepted.end)
  return faultProblem('unprocessable', [{ pointer: '#/email', code: 'other_address', detail: OTHER_ADDRESS }])
}

const OTHER_ADDRESS = 'is not the one that this invitation is for. Type the address that it was sent to'
const TAKEN = 'This e-mail has an account in the clinic already. Sign in with it.'

function ended(end: InvitationEnd): Problem {
  return faultProblem('unprocessable', [{ pointer: '#/token', code: end, detail: ENDS[end] }])
}
