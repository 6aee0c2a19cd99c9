// Failures that repeat: how many lines they are in the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailureLog } from '../src/failure-log.ts'

const SECOND_MS = 1_000
const LINE = 'the database is away'

function opened() {
  const lines: [object, string][] = []
  const clock = { ms: 0 }
  const failures = new FailureLog({ warn: (...line) => void lines.push(line) }, () => clock.ms)
  return { lines, clock, failures }
}

test('an outage that fails twice a second for three minutes is a line at its beginning, one a minute, and one at its end', () => {
  const { lines, clock, failures } = opened()
  for (; clock.ms < 180 * SECOND_MS; clock.ms += SECOND_MS / 2) failures.failed({ clinic_id: 'c1' }, LINE)
  clock.ms += 5 * SECOND_MS
  failures.succeeded()
  failures.succeeded()
  assert.deepEqual(lines, [
    [{ clinic_id: 'c1' }, LINE],
    [{ clinic_id: 'c1', failures: 121 }, LINE],
    [{ clinic_id: 'c1', failures: 241 }, LINE],
    [{ failure: LINE, failures: 360, ms: 179_500 }, 'a failure has ended'],
  ])
})

test('the success of another clinic ends no outage of one, and each kind of failure is told', () => {
  const { lines, clock, failures } = opened()
  for (let i = 0; i < 20; i++) {
    failures.failed({}, LINE)
    failures.succeeded()
    clock.ms += SECOND_MS
  }
  failures.failed({}, 'the disk is full')
  assert.deepEqual(
    lines.map(([, line]) => line),
    [LINE, 'the disk is full'],
  )
})
