// Receives the webhooks of the documentation's examples: in a demo, without a connection.
import { errorOfStatus } from './attempt-outcome.ts'
import type { PostAttempt, RefusalReason, TargetClient } from './target-client.ts'

/** It sends webhooks: the guarded HTTP client, or one that stands before it. */
export type Receiver = Pick<TargetClient, 'check' | 'post' | 'close'>

/** Names that nobody can have (RFC 2606, RFC 6761): nothing that is sent to them could arrive. */
const NOBODYS_NAME = /(^|\.)example(\.com|\.org|\.net)?$/

/** `https://example.com/status/500`: the answer that somebody wants to see, with the retries after it. */
const WANTED_STATUS = /^\/status\/([2-5]\d\d)$/

/**
 * Answers for names of examples: 204, or the status that the path names. Hands everything else to the client. Only a demo has one: what
 * its samples subscribe is then delivered or tried again, and the log shows it.
 *
 * @example await new ExampleReceiver(client).post({ url: 'https://crm.example.com/hooks', headers: {}, body: '{}' })
 * // { response_status: 204, error: null, duration_ms: 1, retry_after: null }
 */
export class ExampleReceiver implements Receiver {
  readonly #client: Receiver

  constructor(client: Receiver) {
    this.#client = client
  }

  async check(url: string): Promise<RefusalReason | null> {
    return isExample(url) ? null : this.#client.check(url)
  }

  async post(attempt: PostAttempt): ReturnType<Receiver['post']> {
    if (!isExample(attempt.url)) return this.#client.post(attempt)
    const isSent = !attempt.signal?.aborted && (attempt.mayStart?.() ?? true)
    if (!isSent) return { response_status: null, error: 'aborted', duration_ms: 0, retry_after: null }
    const response_status = wantedStatus(attempt.url)
    return { response_status, error: errorOfStatus(response_status), duration_ms: 1, retry_after: null }
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

function isExample(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:' && NOBODYS_NAME.test(new URL(url).hostname)
}

function wantedStatus(url: string): number {
  return Number(WANTED_STATUS.exec(new URL(url).pathname)?.[1] ?? 204)
}
