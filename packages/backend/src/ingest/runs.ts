// What happens to a request behind its door: read, checked, its turn awaited, done.
import type { Clinic } from '@clinic-data/contract'
import { readJsonBody } from '@clinic-data/contract/json-body'
import { type Validate, validatorOf } from '@clinic-data/contract/validator'
import type { FastifyRequest } from 'fastify'
import { RefusedRows } from '../changes/refused-rows.ts'
import { writeChanges } from '../changes/write-changes.ts'
import { tellingOutages } from '../outage.ts'
import type { Answered, IngestEndpoint } from './ingest-endpoint.ts'
import type { IngestOperation } from './ingest-operation.ts'
import type { IngestParts } from './ingest-parts.ts'
import type { IngestPrincipal } from './ingest-tokens.ts'
import { requireReferences } from './references.ts'
import { invalid, recordsReader, refused } from './sent-records.ts'
import type { WaitingLine } from './waiting-line.ts'

export type Run = (request: FastifyRequest, principal: IngestPrincipal) => Promise<Answered>

export interface Lines {
  storing: WaitingLine
  uploading: WaitingLine
}

/** A batch of 1,000 whole patients is about 2 MiB; a transcript of a long call some hundred KiB. */
export const INGEST_BODY_BYTES = 16 * 1024 * 1024
/** In 16 MiB, 8 bytes a value: less than the segments of a transcript take. */
const INGEST_VALUES = 2_000_000
const BATCH = { maxBytes: INGEST_BODY_BYTES, maxValues: INGEST_VALUES }

/** Of records: one, or a batch. */
export function storing(parts: IngestParts, operation: IngestOperation, lines: Lines): Run {
  const readRecords = recordsReader(operation)
  const store = tellingOutages(async (clinic: Clinic, records: readonly Record<string, unknown>[]) =>
    writeChanges(parts, clinic, async (tx, now) => {
      await requireReferences(tx, clinic, operation, records)
      return operation.apply(tx, clinic, records, now)
    }),
  )
  return async ({ raw }, { clinic }) => {
    const sent = readRecords(await readJsonBody(raw, BATCH), clinic)
    try {
      const outcomes = await lines.storing.run(clinic.clinic_id, () => store(clinic, sent.records))
      return { data: sent.isBatch ? outcomes : outcomes[0], ids: outcomes.map(({ id }) => id) }
    } catch (error) {
      throw error instanceof RefusedRows ? refused(error.rows, sent) : error
    }
  }
}

/** Of anything else. A file is read in its turn, as it is stored. */
export function answering(parts: IngestParts, endpoint: IngestEndpoint, lines: Lines): Run {
  const { body: form } = endpoint
  const isUpload = form === 'file'
  const validate = form === undefined || isUpload ? null : validatorOf(form)
  const line = isUpload ? lines.uploading : lines.storing
  const run = tellingOutages(endpoint.run)
  return async (request, principal) => {
    const body = validate === null ? undefined : await readBody(request, principal.clinic, validate)
    const params = request.params as Record<string, string>
    return line.run(principal.clinic.clinic_id, () => run({ ...parts, principal, params, body, request: request.raw }))
  }
}

async function readBody({ raw }: FastifyRequest, { country }: Clinic, validate: Validate): Promise<unknown> {
  const body = await readJsonBody(raw)
  const findings = validate(body, { country })
  if (findings.length > 0) throw invalid(findings)
  return body
}
