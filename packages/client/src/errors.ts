// The errors of the client: one class for each kind of problem, and some for when no usable answer came.
import type { Fault, ProblemCode } from './generated/resources.ts'

/** The body of an answer that is not a 2xx (RFC 9457). */
export interface ProblemDocument {
  /** `{base_url}/problems/<code>`: the address of a page that explains the problem. */
  readonly type: string
  /** Branch on this or on the class, never on `title` or `detail`. */
  readonly code?: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly request_id?: string
  /** Each fault of the request: where it is and how to mend it. */
  readonly errors?: readonly Fault[]
  /** The scope that the key lacks. */
  readonly required_scope?: string
  /** Seconds. */
  readonly retry_after?: number
}

/** The kind of a failure: a problem's `code`, one of the client's own, or one of a later version. */
export type ErrorCode =
  | ProblemCode
  | 'connection-failed'
  | 'timeout'
  | 'unexpected-answer'
  | (string & NonNullable<unknown>)

/** Any failure of a call. No message, field or cause holds the key. */
export abstract class ClinicDataError extends Error {
  override readonly name: string = 'ClinicDataError'
  /** Branch on this or on the class. */
  abstract readonly code: ErrorCode
  /** Identifies the request to support. Null when no answer came. */
  readonly request_id: string | null

  constructor(message: string, request_id: string | null, options?: ErrorOptions) {
    super(request_id === null ? message : `${message} (request_id ${request_id})`, options)
    this.request_id = request_id
  }
}

/** The service answered with a problem. Each known kind has its own class below. */
export class ProblemError extends ClinicDataError {
  override readonly name: string = 'ProblemError'
  readonly status: number
  readonly code: ErrorCode
  readonly problem: ProblemDocument

  constructor(problem: ProblemDocument, status: number, request_id: string | null) {
    super(problem.detail ?? problem.title, request_id)
    this.status = status
    this.code = codeOf(problem)
    this.problem = problem
  }
}

/** No answer came: the connection failed, broke, or was refused. The request may or may not have taken effect. */
export class ConnectionError extends ClinicDataError {
  override readonly name: string = 'ConnectionError'
  readonly code: ErrorCode = 'connection-failed'

  constructor(message: string, options?: ErrorOptions) {
    super(message, null, options)
  }
}

/** No whole answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
  override readonly code = 'timeout'
}

/** The answer did not come from the service: a redirect or a proxy's page, say. Check `baseUrl`. */
export class UnexpectedAnswerError extends ClinicDataError {
  override readonly name: string = 'UnexpectedAnswerError'
  readonly code = 'unexpected-answer'
  readonly status: number

  constructor(message: string, status: number, request_id: string | null) {
    super(message, request_id)
    this.status = status
  }
}

/** 400: `problem.errors` names each fault. */
export class InvalidRequestError extends ProblemError {
  override readonly name = 'InvalidRequestError'
}
/** 401: the key is wrong, expired or revoked. */
export class UnauthorizedError extends ProblemError {
  override readonly name = 'UnauthorizedError'
}
/** 403: `problem.required_scope` is missing. */
export class ForbiddenError extends ProblemError {
  override readonly name = 'ForbiddenError'
}
/** 403: the key is valid, and its clinic lets it be used from other addresses alone. `detail` names the address of this machine. */
export class AddressNotAllowedError extends ProblemError {
  override readonly name = 'AddressNotAllowedError'
}
/** 404: no such id for this clinic. */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError'
}
export class MethodNotAllowedError extends ProblemError {
  override readonly name = 'MethodNotAllowedError'
}
export class RequestTimeoutError extends ProblemError {
  override readonly name = 'RequestTimeoutError'
}
/** 409: the request contradicts the state of the resource. */
export class ConflictError extends ProblemError {
  override readonly name = 'ConflictError'
}
export class LinkExpiredError extends ProblemError {
  override readonly name = 'LinkExpiredError'
}
export class ContentTooLargeError extends ProblemError {
  override readonly name = 'ContentTooLargeError'
}
export class UriTooLongError extends ProblemError {
  override readonly name = 'UriTooLongError'
}
export class UnsupportedMediaTypeError extends ProblemError {
  override readonly name = 'UnsupportedMediaTypeError'
}
export class RangeNotSatisfiableError extends ProblemError {
  override readonly name = 'RangeNotSatisfiableError'
}
export class ExpectationFailedError extends ProblemError {
  override readonly name = 'ExpectationFailedError'
}
/** 422: well formed, but a rule refuses it. */
export class UnprocessableError extends ProblemError {
  override readonly name = 'UnprocessableError'
}
/** 422: the same `idempotencyKey` was used with other content. */
export class IdempotencyKeyReusedError extends ProblemError {
  override readonly name = 'IdempotencyKeyReusedError'
}
/** 429, after the retries: wait `problem.retry_after` seconds. */
export class RateLimitedError extends ProblemError {
  override readonly name = 'RateLimitedError'
}
export class HeaderFieldsTooLargeError extends ProblemError {
  override readonly name = 'HeaderFieldsTooLargeError'
}
/** 500, after the retries. */
export class InternalError extends ProblemError {
  override readonly name = 'InternalError'
}
/** 502, after the retries. */
export class UpstreamError extends ProblemError {
  override readonly name = 'UpstreamError'
}
/** 503, after the retries. */
export class ServiceUnavailableError extends ProblemError {
  override readonly name = 'ServiceUnavailableError'
}

/** The class of each problem of the contract, by its code. */
export const problemErrors: Readonly<Record<ProblemCode, typeof ProblemError>> = {
  'invalid-request': InvalidRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  'address-not-allowed': AddressNotAllowedError,
  'not-found': NotFoundError,
  'method-not-allowed': MethodNotAllowedError,
  'request-timeout': RequestTimeoutError,
  conflict: ConflictError,
  'link-expired': LinkExpiredError,
  'content-too-large': ContentTooLargeError,
  'uri-too-long': UriTooLongError,
  'unsupported-media-type': UnsupportedMediaTypeError,
  'range-not-satisfiable': RangeNotSatisfiableError,
  'expectation-failed': ExpectationFailedError,
  unprocessable: UnprocessableError,
  'idempotency-key-reused': IdempotencyKeyReusedError,
  'rate-limited': RateLimitedError,
  'header-fields-too-large': HeaderFieldsTooLargeError,
  'internal-error': InternalError,
  'upstream-error': UpstreamError,
  'service-unavailable': ServiceUnavailableError,
}

/** Makes the error of a problem. A kind that a later version adds becomes a plain `ProblemError`. */
export function problemError(problem: ProblemDocument, status: number, request_id: string | null): ProblemError {
  const code = codeOf(problem)
  const Kind = Object.hasOwn(problemErrors, code) ? problemErrors[code as ProblemCode] : ProblemError
  return new Kind(problem, status, problem.request_id ?? request_id)
}

/** A service of an earlier version sends no code. */
function codeOf({ code, type }: ProblemDocument): string {
  return code ?? type.slice(type.lastIndexOf('/') + 1)
}
