// At most so many at once, of which no clinic has all; the others wait, and the clinics take turns. When too many of one clinic
// wait, its next is sent away.
import { Problem } from '@clinic-data/contract'
import { FairQueue } from '@clinic-data/database/fair-queue'

export interface LineBounds {
  atOnce: number
  /** Of one clinic at once. */
  share: number
  /** How many of one clinic wait at most. */
  longest: number
}

export class WaitingLine {
  readonly #bounds: LineBounds
  readonly #waiting = new FairQueue<() => void>()
  readonly #running = new Map<string, number>()
  #free: number

  constructor(bounds: LineBounds) {
    this.#bounds = bounds
    this.#free = bounds.atOnce
  }

  /** @throws Problem `service-unavailable` when too many of the clinic wait. */
  async run<T>(clinic_id: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0 && this.#mayRun(clinic_id)) this.#begin(clinic_id)
    else await this.#turn(clinic_id)
    try {
      return await work()
    } finally {
      this.#end(clinic_id)
    }
  }

  #mayRun(clinic_id: string): boolean {
    return (this.#running.get(clinic_id) ?? 0) < this.#bounds.share
  }

  #begin(clinic_id: string): void {
    this.#free -= 1
    this.#running.set(clinic_id, (this.#running.get(clinic_id) ?? 0) + 1)
  }

  #end(clinic_id: string): void {
    this.#free += 1
    const running = (this.#running.get(clinic_id) ?? 0) - 1
    if (running === 0) this.#running.delete(clinic_id)
    else this.#running.set(clinic_id, running)
    this.#waiting.shift((waiting) => this.#mayRun(waiting))?.()
  }

  async #turn(clinic_id: string): Promise<void> {
    if (this.#waiting.sizeOf(clinic_id) >= this.#bounds.longest) {
      throw new Problem('service-unavailable', 'Too many requests wait. Send the same again in a second.', {
        retry_after: 1,
      })
    }
    await new Promise<void>((resolve) =>
      this.#waiting.push(clinic_id, () => {
        this.#begin(clinic_id)
        resolve()
      }),
    )
  }
}
