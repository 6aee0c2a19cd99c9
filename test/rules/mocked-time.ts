// Time that passes only when a test says so, for services that it starts afterwards: their timers and the monotonic clock.
import type { TestContext } from 'node:test'

/** @param isSingle - whether also timers that run once wait for the test. The delay of the event loop stays real. */
export function mockedTime(t: TestContext, isSingle = false): { pass(milliseconds: number): void } {
  let now = performance.now()
  t.mock.timers.enable({ apis: isSingle ? ['setInterval', 'setTimeout'] : ['setInterval'] })
  t.mock.method(performance, 'now', () => now)
  return {
    pass(milliseconds) {
      now += milliseconds
      t.mock.timers.tick(milliseconds)
    },
  }
}
