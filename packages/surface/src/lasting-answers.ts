// Answers that are made while they are sent, and last: each clinic has one of a kind under way, so many are in one process at most, and
// whoever takes nothing keeps no place for ever.
//
//   const stream = await answers.give(clinic_id, async () => chunks)
import { Readable } from 'node:stream'
import { Problem } from '@clinic-data/contract'

const AGAIN_SECONDS = 60

export interface LastingLimits {
  /** From the first byte on. */
  readonly longestMs: number
  /** All clinics together have so many in one process. Default: one of each. */
  readonly mostAtOnce?: number
  /** For whoever asks for one more. */
  readonly busy: string
}

export class LastingAnswers {
  readonly #limits: LastingLimits
  readonly #onBroken: (error: unknown) => void
  readonly #underWay = new Set<string>()

  /** @param onBroken hears why an answer that had begun has no end. */
  constructor(limits: LastingLimits, onBroken: (error: unknown) => void = () => undefined) {
    this.#limits = limits
    this.#onBroken = onBroken
  }

  /** @param begin what it refuses is still an answer. @throws Problem 429 */
  async give(clinic_id: string, begin: () => Promise<AsyncIterable<Uint8Array>>): Promise<Readable> {
    const { mostAtOnce = Number.POSITIVE_INFINITY, longestMs, busy } = this.#limits
    if (this.#underWay.has(clinic_id) || this.#underWay.size >= mostAtOnce)
      throw new Problem('rate-limited', busy, { retry_after: AGAIN_SECONDS })
    this.#underWay.add(clinic_id)
    try {
      const answer = Readable.from(await begin(), { objectMode: false })
      const late = setTimeout(() => answer.destroy(new Error('the answer took too long')), longestMs).unref()
      answer.once('error', this.#onBroken)
      answer.once('close', () => {
        clearTimeout(late)
        this.#underWay.delete(clinic_id)
      })
      return answer
    } catch (error) {
      this.#underWay.delete(clinic_id)
      throw error
    }
  }
}
