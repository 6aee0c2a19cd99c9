// The route that begins a sign-in by a passkey. Everyone may ask: nothing is stored, and nobody's name is told.
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireOwnPage } from '../sessions/own-page.ts'
import { newChallenge } from '../sign-in/challenges.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { bindingOf } from '../sign-in/passkey-cookie.ts'

export function passkeyChallengeRoute({ isSecure, signInKeys, now }: ConsoleParts) {
  const { output, status } = consoleOperations.passkeySignInChallenge
  const serialize = serializerOf(output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isHttps = isSecure(request.raw)
    requireOwnPage(request.headers, isHttps)
    const { boundTo, cookie } = bindingOf(request.headers.cookie, isHttps)
    const challenge = newChallenge(signInKeys, { purpose: 'sign-in', boundTo }, now())
    reply.header('set-cookie', cookie).code(status).type('application/json; charset=utf-8')
    return reply.send(serialize({ data: { challenge, seconds: PASSKEYS.challenge_seconds } }))
  }
}
