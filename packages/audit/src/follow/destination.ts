// Where a continuous export of the audit log goes.

export interface Destination {
  /** Its address without secrets: the audit log and the messages of the service name it. */
  readonly name: string
  /**
   * Hands over a stretch of a clinic's log. Resolves when the destination has acknowledged all of it.
   *
   * @param batches lines without their line feeds.
   * @throws Unreachable when nothing can be handed over now, of whatever clinic.
   */
  send(clinic_id: string, batches: AsyncIterable<readonly string[]>, signal: AbortSignal): Promise<void>
}

/** The destination does not answer, or has no room. */
export class Unreachable extends Error {}
