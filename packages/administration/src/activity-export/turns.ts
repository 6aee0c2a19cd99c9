// How many exports of the activity a clinic has under way in this process.
import { Problem } from '@clinic-data/contract'

const RETRY_AFTER_SECONDS = 60

export class ExportTurns {
  readonly #most: number
  readonly #underWay = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** @returns what ends the turn, however often it is called. @throws Problem 429 */
  take(clinic_id: string): () => void {
    const before = this.#underWay.get(clinic_id) ?? 0
    if (before >= this.#most) {
      const detail = 'Another export of this clinic is under way. Wait until it has ended, and export again.'
      throw new Problem('rate-limited', detail, { retry_after: RETRY_AFTER_SECONDS })
    }
    this.#underWay.set(clinic_id, before + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const rest = (this.#underWay.get(clinic_id) ?? 1) - 1
      if (rest > 0) this.#underWay.set(clinic_id, rest)
      else this.#underWay.delete(clinic_id)
    }
  }
}
