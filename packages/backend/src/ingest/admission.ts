// Who asks at a private door, and what the audit log says of it.
import { Problem } from '@clinic-data/contract'
import type { FastifyRequest } from 'fastify'
import { appendAudit } from '../audit.ts'
import { tellingOutages } from '../outage.ts'
import type { IngestParts } from './ingest-parts.ts'
import { type IngestPrincipal, ingestPrincipal } from './ingest-tokens.ts'

const principalOf = tellingOutages(ingestPrincipal)

/** @throws Problem `unauthorized`, the same for every cause. */
export async function identify({ database }: IngestParts, request: FastifyRequest): Promise<IngestPrincipal> {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const principal = await principalOf(database, token)
  if (principal === null) {
    throw new Problem('unauthorized', 'Send a valid ingest token in the header: Authorization: Bearer <token>.')
  }
  return principal
}

export interface Audited {
  principal: IngestPrincipal
  /** The door's id. */
  operation: string
  ids: readonly string[]
  status: number
  request_id: string
  address: string
}

/** What an audit row names at most. */
const AUDITED_IDS = 100

/** To be stored before the answer leaves. */
export const audit = tellingOutages(async ({ database, now }: IngestParts, audited: Audited): Promise<void> => {
  const { principal, operation, ids, status, request_id, address } = audited
  await appendAudit(database, [
    {
      at: now().toISOString(),
      clinic_id: principal.clinic.clinic_id,
      key_id: principal.token_id,
      operation: `ingest.${operation}`,
      surface: 'ingest',
      resource_ids: ids.slice(0, AUDITED_IDS),
      count: ids.length,
      status,
      request_id,
      address,
    },
  ])
})
