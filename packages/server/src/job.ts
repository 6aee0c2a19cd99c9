// A background job of the dispatcher, as its own file describes it.

export const MINUTE_MS = 60_000

export interface Job {
  name: string
  everyMs: number
  run: () => Promise<unknown>
  /** Logged when a round fails. The next round tries again. */
  failure: string
  /** Logged instead of further failures: the first round behind them that does not fail. */
  recovery?: string
}

/** Throws the failures of single clinics after the others have had their turn. */
export function eachInTurn(stopping: AbortSignal) {
  return async <T>(clinics: readonly T[], work: (clinic: T) => Promise<unknown>): Promise<void> => {
    const failures: unknown[] = []
    for (const clinic of clinics) {
      if (stopping.aborted) break
      await work(clinic).catch((error) => failures.push(error))
    }
    if (failures.length > 0) throw new AggregateError(failures, `of ${failures.length} clinics`)
  }
}
