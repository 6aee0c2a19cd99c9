// Why a request got no answer that can be used: a problem that the service told, or no answer at all.

/** One fault: where in the request, by a stable code. */
export interface PlacedFault {
  /** As a JSON pointer: `/filters/0/value`. */
  place: string
  code: string
}

export interface Refusal {
  status: number
  /** The names of the fields that the service found faults in, each with its text. */
  faults: Readonly<Record<string, string>>
  /** The same faults with their whole places. */
  placedFaults: readonly PlacedFault[]
  retryAfterSeconds: number | null
  requestId: string | null
}

export class RefusedError extends Error implements Refusal {
  readonly status: number
  readonly faults: Readonly<Record<string, string>>
  readonly placedFaults: readonly PlacedFault[]
  readonly retryAfterSeconds: number | null
  readonly requestId: string | null

  constructor({ status, faults, placedFaults, retryAfterSeconds, requestId }: Refusal) {
    super(`the service answered ${status}`)
    this.name = 'RefusedError'
    this.status = status
    this.faults = faults
    this.placedFaults = placedFaults
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = requestId
  }
}

/** Nobody knows whether the service got the request. */
export class UnreachableError extends Error {}

/** A problem's body; anything else has no parts. */
interface ProblemBody {
  errors?: { pointer?: string; detail?: string; code?: string }[]
  retry_after?: number
  request_id?: string
}

export async function refusalOf(answer: Response): Promise<RefusedError> {
  const body = (await answer.json().catch(() => ({}))) as ProblemBody
  const faults = (body.errors ?? []).map(({ pointer = '', detail = '' }) => [pointer.split('/')[1] ?? '', detail])
  return new RefusedError({
    status: answer.status,
    faults: Object.fromEntries(faults),
    placedFaults: (body.errors ?? []).map(({ pointer = '', code = '' }) => ({
      place: pointer.replace(/^#/, ''),
      code,
    })),
    retryAfterSeconds: body.retry_after ?? (Number(answer.headers.get('retry-after')) || null),
    requestId: body.request_id ?? answer.headers.get('x-request-id'),
  })
}

/** Whether the same request may succeed later. */
export function mayPass(error: unknown): boolean {
  return error instanceof UnreachableError || (error instanceof RefusedError && error.status >= 500)
}

export const hasStatus = (error: unknown, status: number) => error instanceof RefusedError && error.status === status

/** Refused because nobody has confirmed lately who sits here. */
export const isUnconfirmed = (error: unknown) => hasFault(error, 'confirmation_required')

/** Refused because another person has to approve it, who was asked to. */
export const isUnapproved = (error: unknown) => hasFault(error, 'approval_required')

/** Refused because somebody else has changed the same since. */
export const isChangedMeanwhile = (error: unknown) => hasFault(error, 'changed_meanwhile')

const hasFault = (error: unknown, wanted: string) =>
  error instanceof RefusedError && error.placedFaults.some(({ code }) => code === wanted)
