// Time that passes only when a test says so: the monotonic clock, and those timers that the test names.
import type { TestContext } from 'node:test'

/**
 * Other timers and the delay of the event loop stay real. Whole milliseconds add up exactly: with a fraction, a deadline of two seconds may
 * not have come when two seconds have passed.
 */
export function stoppedTime(
  t: TestContext,
  ...apis: readonly ('setInterval' | 'setTimeout')[]
): { pass(milliseconds: number): void } {
  let now = Math.ceil(performance.now())
  if (apis.length > 0) t.mock.timers.enable({ apis: [...apis] })
  t.mock.method(performance, 'now', () => now)
  return {
    pass(milliseconds) {
      now += milliseconds
      if (apis.length > 0) t.mock.timers.tick(milliseconds)
    },
  }
}
