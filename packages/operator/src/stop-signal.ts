// The first signal to end, as an abort. A later one exits at once.
import { END_SIGNALS } from '@clinic-data/disk/end-signals'

/** A terminal sends Ctrl-C to npm and to us, and npm sends it to us again: the two count as one. */
export const SAME_SIGNAL_MS = 1_000

/** A shell's exit code for a command that a signal ended. */
export const EXIT_BY_SIGNAL = 130

/** Aborts at the first signal to end; the reason is the signal's name. Call it before anything is started. */
export function stopSignal(): AbortSignal {
  isHeeded = true
  const controller = new AbortController()
  let abortedAt = 0
  const stop = (name: NodeJS.Signals) => {
    const now = performance.now()
    if (!controller.signal.aborted) {
      abortedAt = now
      controller.abort(name)
    } else if (name !== controller.signal.reason || now - abortedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  for (const name of END_SIGNALS) process.on(name, stop)
  return controller.signal
}

let isHeeded = false
let isExiting = false

/** Without `stopSignal` a signal ends the process so that its unfinished files and its server end with it. Its own effect would leave them. */
export function exitBySignal(): void {
  if (isExiting) return
  isExiting = true
  for (const name of END_SIGNALS) process.on(name, () => isHeeded || process.exit(EXIT_BY_SIGNAL))
}
