// The route that tells whose session a sign-in link begins, and changes nothing: a person decides before the link is used up.

import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { Problem } from '@clinic-data/contract'
import { serializerOf } from '@clinic-data/contract/serializer'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { placeOfToken } from '../sessions/console-token.ts'
import { requireOwnPage } from '../sessions/own-page.ts'
import type { SignInCount } from '../sessions/sign-in-count.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { inputReader } from './console-input.ts'
import { LINK_REFUSED } from './sign-in-route.ts'

export function lookAtLinkRoute(parts: ConsoleParts, signIns: SignInCount) {
  const operation = consoleOperations.lookAtLink
  const read = inputReader(operation)
  const serialize = serializerOf(operation.output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    requireOwnPage(request.headers, parts.isSecure(request.raw))
    const { body } = await read(request.raw, request.params)
    const { token } = body as { token: string }
    const person = await tellingOutages(whoseLink)(parts.consoleDatabase, token, parts.now())
    if (person === null) {
      signIns.count('link', 'refused')
      throw new Problem('unauthorized', LINK_REFUSED)
    }
    return reply.type('application/json; charset=utf-8').send(serialize({ data: person }))
  }
}

interface Person {
  name: string
  email: string
  clinic: { clinic_id: string; name: string }
}

/** Null when the link signs nobody in. */
async function whoseLink(consoleDatabase: Database, token: string, now: Date): Promise<Person | null> {
  const place = placeOfToken(token)
  if (place === null) return null
  const { clinic_id, token_hash } = place
  const found = await consoleDatabase.read<{ name: string; email: string; clinic_name: string }>(
    utcSession(clinic_id),
    sql`select a.name, a.email, c.name as clinic_name from sign_in_link l
      join administrator a on a.clinic_id = l.clinic_id and a.id = l.administrator_id
      join clinic c on c.clinic_id = l.clinic_id
      where l.clinic_id = ${clinic_id} and l.token_hash = ${token_hash} and l.used_at is null and l.expires_at > ${now}
        and a.disabled_at is null`,
  )
  const [person] = found
  return person === undefined
    ? null
    : { name: person.name, email: person.email, clinic: { clinic_id, name: person.clinic_name } }
}
