// The queues of the ingest API: how many requests are received, stored and uploaded at once, and how many of one clinic.
import type { IncomingMessage } from 'node:http'
import { WaitingLine } from '@clinic-data/surface/waiting-line'

/** As many as have their own connection. */
export const STORED_AT_ONCE = 4

/** A batch of 1,000 whole patients is about 2 MiB. Larger ones are rare, and few of them are held at once. */
const LARGE_BODY_BYTES = 4 * 1024 * 1024

/** From the first byte of a body to its answer: at most 96 MiB of bodies are in memory, or the 32 MiB of two large ones. */
const RECEIVING = { atOnce: 24, share: 8, longest: 50 }
const RECEIVING_LARGE = { atOnce: 2, share: 1, longest: 25 }

/** Only received requests can wait here. */
const STORING = { atOnce: STORED_AT_ONCE, share: 3, longest: RECEIVING.atOnce + RECEIVING_LARGE.atOnce }

/** Each holds a megabyte in memory, and no connection while its bytes come. Waiting ones have not been read. */
const UPLOADING = { atOnce: 16, share: 4, longest: 25 }

export class IngestLines {
  readonly uploading = new WaitingLine(UPLOADING)
  readonly #receiving = new WaitingLine(RECEIVING)
  readonly #receivingLarge = new WaitingLine(RECEIVING_LARGE)
  readonly #storing = new WaitingLine(STORING)

  /**
   * Receives a body in one line, then stores it in the next one, so that a slow body does not keep others from being stored.
   *
   * @throws Problem `service-unavailable` when too many of the clinic's requests wait.
   */
  run<B, T>(
    clinic_id: string,
    request: IncomingMessage,
    receive: () => Promise<B>,
    store: (body: B) => Promise<T>,
  ): Promise<T> {
    const line = isLarge(request) ? this.#receivingLarge : this.#receiving
    return line.run(clinic_id, async () => {
      const body = await receive()
      return this.#storing.run(clinic_id, () => store(body))
    })
  }
}

/** A body without a length may be of any size. */
function isLarge({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES
}
