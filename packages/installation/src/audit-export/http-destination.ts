// Posts the audit log to a collector: a stretch in bodies of lines, one after the other, each acknowledged by a 2xx.
import { type Destination, Unreachable } from '@clinic-data/audit/follow/destination'

/** A collector that has not answered a body of half a megabyte by then is taken as not reachable. */
const PATIENCE_MS = 20_000

/** It refuses these bytes, and may take others. Every other answer is about the collector itself. */
const REFUSED = [400, 413, 415, 422]

interface HttpOptions {
  readonly url: string
  readonly token: string | null
  readonly patienceMs?: number
}

export class HttpDestination implements Destination {
  readonly name: string
  readonly #options: HttpOptions

  constructor(options: HttpOptions) {
    this.#options = options
    // A query may hold a secret.
    const { origin, pathname } = new URL(options.url)
    this.name = `${origin}${pathname}`
  }

  async send(clinic_id: string, batches: AsyncIterable<readonly string[]>, signal: AbortSignal): Promise<void> {
    for await (const lines of batches) await this.#post(clinic_id, `${lines.join('\n')}\n`, signal)
  }

  async #post(clinic_id: string, body: string, signal: AbortSignal): Promise<void> {
    const { token, url, patienceMs = PATIENCE_MS } = this.#options
    const headers = {
      'content-type': 'application/x-ndjson',
      // Rows of NDJSON do not name their clinic.
      'clinic-id': clinic_id,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    }
    const limits = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    let status: number
    try {
      // A redirect would hand the log to somebody whom nobody has named.
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limits })
      status = answer.status
      await answer.body?.cancel()
    } catch (error) {
      signal.throwIfAborted()
      throw new Unreachable(`the collector ${this.name} does not answer: ${reasonOf(error)}`, { cause: error })
    }
    if (status >= 200 && status < 300) return
    const refusal = `the collector ${this.name} answers ${status}`
    if (REFUSED.includes(status)) throw new Error(`${refusal} to lines of the clinic ${clinic_id}`)
    throw new Unreachable(status >= 300 && status < 400 ? `${refusal}: redirects are not followed` : refusal)
  }
}

/** `fetch` tells its reason as a cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
