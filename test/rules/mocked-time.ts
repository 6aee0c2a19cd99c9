// Time that passes only when a test says so, for services that it starts afterwards: their intervals and the monotonic clock.
import type { TestContext } from 'node:test'

/** Single timers and the delay of the event loop stay real. */
export function mockedTime(t: TestContext): { pass(milliseconds: number): void } {
  // Whole milliseconds add up exactly. With a fraction, a deadline of two seconds may not have come when two seconds have passed.
  let now = Math.ceil(performance.now())
  t.mock.timers.enable({ apis: ['setInterval'] })
  t.mock.method(performance, 'now', () => now)
  return {
    pass(milliseconds) {
      now += milliseconds
      t.mock.timers.tick(milliseconds)
    },
  }
}
