// The first signal to end, as an abort. A later one exits at once.

/** A terminal sends Ctrl-C to npm and to us, and npm sends it to us again: the two count as one. */
export const SAME_SIGNAL_MS = 1_000

/**
 * Aborts at the first signal to end; the reason is the signal's name. Call it before anything is started. A closed terminal
 * counts too. With `nohup` there is none.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  let abortedAt = 0
  const stop = (name: NodeJS.Signals) => {
    const now = performance.now()
    if (!controller.signal.aborted) {
      abortedAt = now
      controller.abort(name)
    } else if (name !== controller.signal.reason || now - abortedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (process.stdout.isTTY) process.on('SIGHUP', stop)
  return controller.signal
}
