// Says why a command waits before it asks again: a countdown on a terminal, one line elsewhere.
import { setTimeout as delay } from 'node:timers/promises'
import { RateLimitedError } from '@clinic-data/client/errors'
import { safeText } from '@clinic-data/contract/safe-text'
import type { Sink, Wait } from '../process-context.ts'
import { Progress } from './progress.ts'

/** Shorter pauses are not reported. */
const REPORTED_PAUSE_MS = 2_000
const SECOND_MS = 1_000

/** By a timer. */
export const wait: Wait = (ms, signal) => delay(ms, undefined, signal && { signal })

/** The client's pause for a command that reports to `stderr`. */
export function reportedPause(stderr: Sink, waits: Wait = wait) {
  return async (ms: number, signal: AbortSignal | undefined, error: Error): Promise<void> => {
    if (ms < REPORTED_PAUSE_MS) return waits(ms, signal)
    const reason = error instanceof RateLimitedError ? 'rate limited' : safeText(error.message).replace(/\.$/, '')
    const line = (left: number) => `${reason}; again in ${Math.ceil(left / SECOND_MS)} s`
    const progress = new Progress(stderr)
    if (!stderr.isTerminal) {
      await progress.say(line(ms))
      return waits(ms, signal)
    }
    try {
      for (let left = ms; left > 0; left -= SECOND_MS) {
        await progress.say(line(left))
        await waits(Math.min(left, SECOND_MS), signal)
      }
    } finally {
      await progress.end()
    }
  }
}
