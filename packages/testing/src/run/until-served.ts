// Sends a request again while it is refused with 503, as its answer says.
import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** A service that refuses for longer is at fault. */
const MOST_TRIES = 10

/**
 * @param refusal a text in the bodies of the refusals that are followed so. Default: every refusal.
 * @returns the first other answer, or the last refusal
 */
export async function untilServed<
  A extends { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly bytes: Buffer },
>(send: () => Promise<A>, refusal = ''): Promise<A> {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    const isRefused = answer.status === 503 && answer.bytes.includes(refusal)
    if (!isRefused || tries === MOST_TRIES) return answer
    await setTimeout(Number(answer.headers['retry-after']) * 1_000)
  }
}
