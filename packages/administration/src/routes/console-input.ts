// Reads what a request to the console brings: its parameters, its `Idempotency-Key` and its body, and reports all faults at once.
import type { IncomingMessage } from 'node:http'
import type { ConsoleOperation } from '@clinic-data/console-contract/console-operation'
import { CONSOLE_BODY_BYTES } from '@clinic-data/console-contract/console-operations'
import { type Fault, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { addParameterFaults, bodyFault } from '@clinic-data/contract/findings'
import { readJsonBody } from '@clinic-data/contract/json-body'
import { IDEMPOTENCY_KEY } from '@clinic-data/contract/limits'
import { queryReader } from '@clinic-data/contract/read-query'
import { validatorOf } from '@clinic-data/contract/validator'
import { arriving } from '@clinic-data/surface/arriving-bytes'

export interface ConsoleInput {
  readonly params: Readonly<Record<string, string>>
  /** Defaults are filled in. */
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Empty where the operation takes none. */
  readonly idempotencyKey: string
}

type Read = (request: IncomingMessage, params: unknown) => Promise<ConsoleInput>

/** No text of the console depends on the clinic's country. */
const ABOUT = { country: 'IL' }

/**
 * Compiles the reader of an operation's input.
 *
 * @throws (the reader) Problem 404 for a malformed id, 400, 408, 413 or 415 for the rest.
 */
export function inputReader({ params, query, body, takesIdempotencyKey }: ConsoleOperation): Read {
  const checkParams = validatorOf(params)
  const readQuery = queryReader({ query })
  const checkQuery = validatorOf(query)
  const checkBody = body === null ? null : validatorOf(body)
  return async (request, pathParams) => {
    const ids = pathParams as Record<string, string>
    if (checkParams(ids, ABOUT).length > 0 || Object.values(ids).some((id) => id.includes('\0'))) {
      throw new Problem('not-found', 'There is no such resource.')
    }
    const faults: Fault[] = []
    const queryValues = readQuery(new URL(request.url ?? '', 'http://console').search.slice(1), faults)
    addParameterFaults(checkQuery(queryValues, ABOUT), faults)
    const idempotencyKey = takesIdempotencyKey ? request.headers['idempotency-key'] : ''
    if (takesIdempotencyKey && (typeof idempotencyKey !== 'string' || !IDEMPOTENCY_KEY.test(idempotencyKey))) {
      const detail = 'must be given once, with 1 to 255 visible ASCII characters'
      faults.push({ header: 'Idempotency-Key', code: 'format', detail })
    }
    const read = checkBody && (await readJsonBody(request, { maxBytes: CONSOLE_BODY_BYTES, chunks: arriving(request) }))
    faults.push(...(checkBody?.(read, ABOUT) ?? []).map(bodyFault))
    if (faults.length > 0) throw faultProblem('invalid-request', faults)
    return { params: ids, query: queryValues, body: read, idempotencyKey: String(idempotencyKey) }
  }
}
