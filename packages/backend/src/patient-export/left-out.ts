// Counts what an export leaves out because it may be another person's, so that the archive and the operator can say so.

/** Why a row may be another person's. Each kind stands in `about.json` under this name. */
export type Doubt =
  | 'calls'
  | 'chat_conversations'
  | 'chat_messages'
  | 'leads'
  | 'lead_activities'
  | 'documents'
  | 'events'

export class LeftOut {
  readonly #counts = new Map<Doubt, number>()

  add(doubt: Doubt, count = 1): void {
    if (count > 0) this.#counts.set(doubt, (this.#counts.get(doubt) ?? 0) + count)
  }

  get counts(): Readonly<Partial<Record<Doubt, number>>> {
    return Object.fromEntries(this.#counts)
  }
}
