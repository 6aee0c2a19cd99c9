// Limits how many run at once. No clinic can have all places. The others wait, and the clinics take turns. If too many of one clinic
// wait, its next is sent away.
import { Problem } from '@clinic-data/contract'
import { FairLine } from '@clinic-data/database/connections/fair-line'

export interface LineBounds {
  atOnce: number
  /** One clinic's maximum at once. */
  share: number
  /** The most that may wait for one clinic. */
  longest: number
}

export class WaitingLine {
  readonly #line: FairLine
  readonly #longest: number

  constructor({ atOnce, share, longest }: LineBounds) {
    this.#line = new FairLine(atOnce, () => share)
    this.#longest = longest
  }

  /** @throws Problem `service-unavailable` when too many of the clinic wait. */
  async run<T>(clinic_id: string, work: () => Promise<T>): Promise<T> {
    if (this.#line.waitingOf(clinic_id) >= this.#longest) {
      throw new Problem('service-unavailable', 'Too many requests wait. Send the same again in a second.', {
        retry_after: 1,
      })
    }
    const waiting = this.#line.enter(clinic_id)
    if (waiting) await waiting
    try {
      return await work()
    } finally {
      this.#line.leave(clinic_id)
    }
  }
}
