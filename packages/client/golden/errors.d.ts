import type { Fault, ProblemCode } from './generated/resources.js';
/** The body of an answer that is not a 2xx (RFC 9457). */
export interface ProblemDocument {
    /** `{base_url}/problems/<code>`: the address of a page that explains the problem. */
    readonly type: string;
    /** Branch on this or on the class, never on `title` or `detail`. */
    readonly code?: string;
    readonly title: string;
    readonly status: number;
    readonly detail?: string;
    readonly request_id?: string;
    /** Each fault of the request: where it is and how to mend it. */
    readonly errors?: readonly Fault[];
    /** The scope that the key lacks. */
    readonly required_scope?: string;
    /** Seconds. */
    readonly retry_after?: number;
}
/** The kind of a failure: a problem's `code`, one of the client's own, or one of a later version. */
export type ErrorCode = ProblemCode | 'connection-failed' | 'timeout' | 'unexpected-answer' | (string & NonNullable<unknown>);
/** Any failure of a call. No message, field or cause holds the key. */
export declare abstract class ClinicDataError extends Error {
    readonly name: string;
    /** Branch on this or on the class. */
    abstract readonly code: ErrorCode;
    /** Identifies the request to support. Null when no answer came. */
    readonly request_id: string | null;
    constructor(message: string, request_id: string | null, options?: ErrorOptions);
}
/** The service answered with a problem. Each known kind has its own class below. */
export declare class ProblemError extends ClinicDataError {
    readonly name: string;
    readonly status: number;
    readonly code: ErrorCode;
    readonly problem: ProblemDocument;
    constructor(problem: ProblemDocument, status: number, request_id: string | null);
}
/** No answer came: the connection failed, broke, or was refused. The request may or may not have taken effect. */
export declare class ConnectionError extends ClinicDataError {
    readonly name: string;
    readonly code: ErrorCode;
    constructor(message: string, options?: ErrorOptions);
}
/** No whole answer came within `timeoutMs`. */
export declare class TimeoutError extends ConnectionError {
    readonly name: string;
    readonly code = "timeout";
}
/** The answer did not come from the service: a redirect or a proxy's page, say. Check `baseUrl`. */
export declare class UnexpectedAnswerError extends ClinicDataError {
    readonly name: string;
    readonly code = "unexpected-answer";
    readonly status: number;
    constructor(message: string, status: number, request_id: string | null);
}
/** 400: `problem.errors` names each fault. */
export declare class InvalidRequestError extends ProblemError {
    readonly name = "InvalidRequestError";
}
/** 401: the key is wrong, expired or revoked. */
export declare class UnauthorizedError extends ProblemError {
    readonly name = "UnauthorizedError";
}
/** 403: `problem.required_scope` is missing. */
export declare class ForbiddenError extends ProblemError {
    readonly name = "ForbiddenError";
}
/** 403: the key is valid, and its clinic lets it be used from other addresses alone. `detail` names the address of this machine. */
export declare class AddressNotAllowedError extends ProblemError {
    readonly name = "AddressNotAllowedError";
}
/** 404: no such id for this clinic. */
export declare class NotFoundError extends ProblemError {
    readonly name = "NotFoundError";
}
export declare class MethodNotAllowedError extends ProblemError {
    readonly name = "MethodNotAllowedError";
}
export declare class RequestTimeoutError extends ProblemError {
    readonly name = "RequestTimeoutError";
}
/** 409: the request contradicts the state of the resource. */
export declare class ConflictError extends ProblemError {
    readonly name = "ConflictError";
}
export declare class LinkExpiredError extends ProblemError {
    readonly name = "LinkExpiredError";
}
export declare class ContentTooLargeError extends ProblemError {
    readonly name = "ContentTooLargeError";
}
export declare class UriTooLongError extends ProblemError {
    readonly name = "UriTooLongError";
}
export declare class UnsupportedMediaTypeError extends ProblemError {
    readonly name = "UnsupportedMediaTypeError";
}
export declare class RangeNotSatisfiableError extends ProblemError {
    readonly name = "RangeNotSatisfiableError";
}
export declare class ExpectationFailedError extends ProblemError {
    readonly name = "ExpectationFailedError";
}
/** 422: well formed, but a rule refuses it. */
export declare class UnprocessableError extends ProblemError {
    readonly name = "UnprocessableError";
}
/** 422: the same `idempotencyKey` was used with other content. */
export declare class IdempotencyKeyReusedError extends ProblemError {
    readonly name = "IdempotencyKeyReusedError";
}
/** 429, after the retries: wait `problem.retry_after` seconds. */
export declare class RateLimitedError extends ProblemError {
    readonly name = "RateLimitedError";
}
export declare class HeaderFieldsTooLargeError extends ProblemError {
    readonly name = "HeaderFieldsTooLargeError";
}
/** 500, after the retries. */
export declare class InternalError extends ProblemError {
    readonly name = "InternalError";
}
/** 502, after the retries. */
export declare class UpstreamError extends ProblemError {
    readonly name = "UpstreamError";
}
/** 503, after the retries. */
export declare class ServiceUnavailableError extends ProblemError {
    readonly name = "ServiceUnavailableError";
}
/** The class of each problem of the contract, by its code. */
export declare const problemErrors: Readonly<Record<ProblemCode, typeof ProblemError>>;
/** Makes the error of a problem. A kind that a later version adds becomes a plain `ProblemError`. */
export declare function problemError(problem: ProblemDocument, status: number, request_id: string | null): ProblemError;
