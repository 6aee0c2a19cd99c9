// Until when a process that stops waits for its database. One moment for all that waits, whatever closes first.

/**
 * From the beginning of the stop. Five seconds later the process ends what is not finished (`shutdown.ts`): until then it logs what has
 * no record, and closes the rest.
 */
const WAIT_MS = 15_000

export interface StopDeadline {
  readonly deadline: AbortSignal
  /** Call this when the stop begins. */
  readonly begin: () => void
}

export function stopDeadlineOf(): StopDeadline {
  const controller = new AbortController()
  return { deadline: controller.signal, begin: () => void setTimeout(() => controller.abort(), WAIT_MS).unref() }
}
