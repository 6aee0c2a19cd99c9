// Runs a request once its token is known: waits for its turn, receives and checks its body, and does the work.

import { holderOf } from '@clinic-data/administration/credentials/ingest-tokens'
import { readJsonBody, readJsonBytes } from '@clinic-data/contract/json-body'
import { validatorOf } from '@clinic-data/contract/validator'
import { arriving } from '@clinic-data/surface/arriving-bytes'
import { tellingOutages } from '@clinic-data/surface/outage'
import { onlyWhile, tokenStillValid } from '@clinic-data/surface/still-valid'
import type { FastifyRequest } from 'fastify'
import type { Answered, PlainOperation } from '../ingest/ingest-operation.ts'
import type { IngestParts } from '../ingest/ingest-parts.ts'
import type { Asking } from './admission.ts'
import type { IngestLines } from './ingest-lines.ts'
import type { Intake } from './intake.ts'
import { invalid } from './sent-records.ts'

export type Run = (request: FastifyRequest, asking: Asking) => Promise<Answered>

/** A batch of 1,000 whole patients is about 2 MiB, a transcript of a long call some hundred KiB. */
export const INGEST_BODY_BYTES = 16 * 1024 * 1024

/** Stores records: one, or a batch. */
export function storing(intake: Intake, lines: IngestLines): Run {
  return ({ raw }, asking) => {
    const receive = () => readJsonBytes(raw, { maxBytes: INGEST_BODY_BYTES, chunks: arriving(raw) })
    return lines.run(asking.principal.clinic.clinic_id, raw, receive, (body) => intake.take(asking, body))
  }
}

/** Runs any other operation. A file is read in its turn, as it is stored. */
export function answering(parts: IngestParts, operation: PlainOperation, lines: IngestLines): Run {
  const validate = operation.body && validatorOf(operation.body)
  const answer = tellingOutages(operation.run)
  return ({ raw, params }, { principal }) => {
    const { clinic_id, country } = principal.clinic
    const database = onlyWhile(tokenStillValid(holderOf(principal)), parts.database)
    const run = (body: unknown) =>
      answer({
        ...parts,
        database,
        unchecked: parts.database,
        principal,
        params: params as Record<string, string>,
        body,
        request: raw,
      })
    if (operation.uploads) return lines.uploading.run(clinic_id, () => run(undefined))
    const receive = async () => {
      if (!validate) return undefined
      const body = await readJsonBody(raw, { chunks: arriving(raw) })
      const findings = validate(body, { country })
      if (findings.length > 0) throw invalid(findings)
      return body
    }
    return lines.run(clinic_id, raw, receive, run)
  }
}
