// Admits requests to the ingest API and writes their audit rows.

import { type IngestPrincipal, ingestPrincipal } from '@clinic-data/administration/credentials/ingest-tokens'
import { appendAudit } from '@clinic-data/audit/audit'
import { Problem, type ProblemSlug } from '@clinic-data/contract'
import { tellingOutages } from '@clinic-data/surface/outage'
import type { FastifyRequest } from 'fastify'
import type { IngestParts } from '../ingest/ingest-parts.ts'
import { oncePerTurn } from './token-look-ups.ts'

const principalOf = tellingOutages(ingestPrincipal)

export type Identify = (request: FastifyRequest) => Promise<IngestPrincipal>

/** The function throws Problem `unauthorized`, the same for every cause. */
export function identification({ database }: IngestParts): Identify {
  const find = oncePerTurn((token) => principalOf(database, token))
  return async ({ headers }) => {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
    const principal = await find(token)
    if (principal === null) {
      throw new Problem('unauthorized', 'Send a valid ingest token in the header: Authorization: Bearer <token>.')
    }
    return principal
  }
}

/** The rolling window of the tokens. The gateway's `MemoryRateLimit` implements it. */
export interface TokenRate {
  take(token_id: string, limit: number): { admitted: boolean; retryAfterSeconds: number }
}

/** Fifty a second: more than an exchange or a CRM sends one by one. A batch of 1,000 records counts once. */
export const TOKEN_RATE = { requests: 3_000, window_seconds: 60 } as const

/** @throws Problem `rate-limited` if the token has sent too many requests in the window. */
export function requireRate(rate: TokenRate, { token_id, clinic }: IngestPrincipal): void {
  const { admitted, retryAfterSeconds } = rate.take(`${clinic.clinic_id} ${token_id}`, TOKEN_RATE.requests)
  if (admitted) return
  const detail = `A token may send ${TOKEN_RATE.requests} requests in ${TOKEN_RATE.window_seconds} seconds. Send batches, or retry after ${retryAfterSeconds} seconds.`
  throw new Problem('rate-limited', detail, { retry_after: retryAfterSeconds })
}

/** An audit row says this of a request, whatever becomes of it. */
export interface Asking {
  principal: IngestPrincipal
  /** The operation's id. */
  operation: string
  request_id: string
  address: string
  /** By `process.hrtime.bigint`, which all threads share. */
  startedAt: bigint
}

/** A request ended like this. */
export interface Outcome {
  ids: readonly string[]
  patient_ids: readonly string[]
  status: number
  problem?: ProblemSlug
}

/** The most ids in an audit row. */
const AUDITED_IDS = 100

/** Store this before the answer leaves. */
export const audit = tellingOutages(
  async (
    { database, now }: Pick<IngestParts, 'database' | 'now'>,
    { principal, operation, startedAt, ...asking }: Asking,
    { ids, ...outcome }: Outcome,
  ): Promise<void> => {
    const duration_ms = Math.round(Number(process.hrtime.bigint() - startedAt) / 1e6)
    await appendAudit(database, [
      {
        at: now().toISOString(),
        clinic_id: principal.clinic.clinic_id,
        key_id: principal.token_id,
        operation: `ingest.${operation}`,
        surface: 'ingest',
        resource_ids: ids.slice(0, AUDITED_IDS),
        count: ids.length,
        ...asking,
        ...outcome,
        duration_ms,
      },
    ])
  },
)
