// Why a call of the backend's port gave no answer, as the breaker, the retry and the client need to know it.
import { Problem } from '@clinic-data/contract'
import { UnusableAnswer } from '@clinic-data/contract/port-answer'
import { upstreamError } from '../answers/problem-response.ts'

/**
 * `unreachable`: no connection, a broken one, or a 502, 503 or 504; the same call may succeed a moment later. `late`: nothing came
 * in time. `shed`: the backend was not asked. `unusable`: the answer does not follow the port.
 */
export type FailureKind = 'unreachable' | 'late' | 'shed' | 'unusable'

export class PortFailure extends Error {
  readonly kind: FailureKind
  /** Whether it says something about the backend's health. */
  readonly isSymptom: boolean
  /** Nothing of the call reached the backend, so another one can be asked, even for a write. */
  readonly isUnsent: boolean

  /** The message and the cause are for the log only. */
  constructor(
    kind: FailureKind,
    message: string,
    options: { cause?: unknown; isSymptom?: boolean; isUnsent?: boolean } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'PortFailure'
    this.kind = kind
    this.isSymptom = options.isSymptom ?? kind === 'unreachable'
    this.isUnsent = options.isUnsent ?? kind === 'shed'
  }

  /** The client's problem: 502 for an unusable answer, otherwise 503. */
  toProblem(): Problem {
    if (this.kind === 'unusable') return upstreamError(this)
    // A call that was shed has no cause to look for. One log line for each would drown the others.
    return unavailable(this.kind === 'shed' ? undefined : this)
  }
}

/** Converts an error of the connection or the HTTP client to a failure. */
export function failureOf(error: unknown): PortFailure {
  if (error instanceof PortFailure) return error
  if (error instanceof UnusableAnswer) return new PortFailure(error.kind, error.message)
  const { code: rawCode, name, message } = (error ?? {}) as { code?: unknown; name?: unknown; message?: unknown }
  // Not as the cause: it holds the received bytes, which may be a patient's.
  if (name === 'HTTPParserError') return new PortFailure('unusable', String(message))
  const code = String(rawCode ?? '')
  if (UNUSABLE.has(code)) return new PortFailure('unusable', code, { cause: error })
  const isUnsent = UNSENT.has(code) || isOfConnecting(error)
  if (LATE.has(code)) return new PortFailure('late', code, { cause: error, isSymptom: true, isUnsent })
  return new PortFailure('unreachable', code || 'the connection failed', { cause: error, isUnsent })
}

/**
 * Whether the failure happened while connecting. The code alone does not tell: an established connection that carried a write can
 * also end with EHOSTUNREACH or ENETUNREACH.
 */
function isOfConnecting(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isOfConnecting)
  const { syscall } = (error ?? {}) as { syscall?: unknown }
  return syscall === 'connect' || syscall === 'getaddrinfo'
}

/** undici's codes for something received that is not an answer. */
const UNUSABLE = new Set([
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
])
/** undici's codes for a call that never got a connection. */
const UNSENT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_CLOSED'])
const LATE = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])

export function unavailable(cause: unknown, retryAfterSeconds = 1): Problem {
  const detail = 'Temporarily unavailable. Wait for Retry-After, then retry with exponential backoff.'
  return new Problem('service-unavailable', detail, { retry_after: retryAfterSeconds }, cause)
}
