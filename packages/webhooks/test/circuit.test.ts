// A subscription's circuit: opening, probes, recovery, disabling, and outcomes that arrive out of order.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  afterAttempt,
  afterExpiry,
  atOnce,
  type Circuit,
  disabledReasons,
  FAILING,
  GONE_APART_MS,
  mustDisable,
  newCircuit,
  OPENING_FAILURES,
} from '../src/subscriptions/circuit.ts'

const HOUR = 3_600_000
const start = Date.parse('2026-07-12T09:30:00Z')
const at = (seconds: number) => new Date(start + seconds * 1000)

/** One attempt: when it started and ended (seconds), and its result. */
type Attempt = [started: number, ended: number, status: number | null, exhausted?: boolean]

function run(attempts: readonly Attempt[], circuit: Circuit = newCircuit): Circuit {
  return attempts.reduce((before, attempt) => step(before, attempt).circuit, circuit)
}

function step(circuit: Circuit, [started, ended, response_status, exhausted = false]: Attempt, is_urgent = false) {
  return afterAttempt(circuit, { started_at: at(started), response_status, exhausted, is_urgent }, at(ended))
}

/** Attempts one after the other, a second each, starting at `from`. */
const row = (from: number, ...statuses: (number | null)[]): Attempt[] =>
  statuses.map((status, index) => [from + index, from + index + 1, status])

const isOpen = ({ opened_at }: Circuit) => opened_at !== null

describe('opening', () => {
  test('four failures in a row leave the circuit closed, the fifth opens it', () => {
    const four = run(row(0, 500, null, 404, 302))
    assert.equal(isOpen(four), false)
    assert.equal(atOnce(four, at(4)), 8)
    const five = run(row(4, null), four)
    assert.deepEqual(five.opened_at, at(5))
    assert.deepEqual(five.probe_at, at(10))
    assert.deepEqual(five.failing_since, at(1))
  })

  test('a 2xx between failures restarts the count', () => {
    assert.equal(isOpen(run(row(0, 500, 500, 500, 500, 204, 500, 500, 500, 500))), false)
    assert.equal(isOpen(run(row(0, 500, 500, 500, 500, 204, 500, 500, 500, 500, 500))), true)
  })

  test('only 2xx is a success', () => {
    for (const status of [null, 100, 199, 300, 301, 302, 304, 400, 410, 429, 500, 503]) {
      assert.equal(run(row(0, status)).failed_attempts, 1, String(status))
    }
    for (const status of [200, 201, 204, 299]) assert.equal(run(row(0, status)).failed_attempts, 0)
  })
})

/** Open since second 5. */
const open = run(row(0, 500, 500, 500, 500, 500))

describe('probes', () => {
  test('one attempt at a time: after 5 s, 10 s, 30 s, and then every minute', () => {
    let circuit = open
    const waits: number[] = []
    for (let probe = 0, now = 5; probe < 6; probe++) {
      const due = ((circuit.probe_at?.getTime() ?? 0) - start) / 1000
      waits.push(due - now)
      assert.equal(atOnce(circuit, at(due - 0.001)), 0)
      assert.equal(atOnce(circuit, at(due)), 1)
      circuit = run([[due, due + 15, null]], circuit)
      now = due + 15
    }
    assert.deepEqual(waits, [5, 10, 30, 60, 60, 60])
  })

  test('a probe without an outcome does not prevent the next one', () => {
    assert.equal(atOnce(open, at(15 + 45)), 1)
  })

  test('attempts under way when the circuit opened are counted, but delay no probe', () => {
    const later = run(
      [4, 4.1, 4.2].map((started): Attempt => [started, started + 15, null]),
      open,
    )
    assert.deepEqual(later.probe_at, open.probe_at)
    assert.equal(later.failed_probes, 0)
    assert.equal(later.failed_attempts, open.failed_attempts + 3)
  })
})

describe('requested attempts while the circuit is open', () => {
  test('a 2xx closes it, as a probe’s does', () => {
    const { circuit, recovered } = step(open, [6, 7, 200], true)
    assert.deepEqual([recovered, circuit], [true, { ...newCircuit, last_success_at: at(7), at_once: 1 }])
  })

  test('a failure is counted and delays no probe', () => {
    const { circuit, recovered } = step(open, [6, 7, 410], true)
    assert.equal(recovered, false)
    assert.deepEqual([circuit.probe_at, circuit.failed_probes], [open.probe_at, 0])
    assert.equal(circuit.failed_attempts, open.failed_attempts + 1)
  })
})

describe('recovery', () => {
  test('the first 2xx of a probe closes the circuit and reports it, and no other 2xx does', () => {
    const { circuit, recovered } = step(open, [15, 16, 200])
    assert.equal(recovered, true)
    assert.deepEqual(circuit, { ...newCircuit, last_success_at: at(16), at_once: 1 })
    assert.equal(step(circuit, [17, 18, 200]).recovered, false)
    assert.equal(step(newCircuit, [0, 1, 200]).recovered, false)
    assert.equal(step(run(row(0, 500, 500)), [2, 3, 200]).recovered, false)
    assert.equal(step(open, [15, 16, 500]).recovered, false)
  })

  test('afterwards 1, 2, 4 and then 8 attempts run at once, each 2xx doubling the number', () => {
    let circuit = step(open, [15, 16, 200]).circuit
    const allowed = [atOnce(circuit, at(16))]
    for (let second = 16; second < 20; second++) {
      circuit = run(row(second, 200), circuit)
      allowed.push(atOnce(circuit, at(second)))
    }
    assert.deepEqual(allowed, [1, 2, 4, 8, 8])
  })

  test('a failure during the rise restarts it, and one after the rise does not', () => {
    const rising = run(row(15, 200, 200, 200), open)
    assert.equal(rising.at_once, 4)
    assert.equal(run(row(18, 500), rising).at_once, 1)
    assert.equal(run(row(18, 200, 500), rising).at_once, 8)
  })

  test('five failures in a row after a recovery open the circuit again, with the first probe after 5 s', () => {
    const probed = run([[15, 16, 500]], open)
    const again = run(row(46, 200, 500, 500, 500, 500, 500), probed)
    assert.deepEqual(again.opened_at, at(52))
    assert.deepEqual(again.probe_at, at(57))
  })
})

describe('outcomes out of order', () => {
  test('timeouts of attempts from before a recovery do not open the circuit again', () => {
    const recovered = run([[15, 15.1, 200]], open)
    const stale = Array.from({ length: 7 }, (_, index): Attempt => [4, 15.2 + index / 10, null, true])
    assert.deepEqual(run(stale, recovered), recovered)
  })

  test('a 2xx of an attempt from before the opening clears the counters and leaves the circuit open', () => {
    const failing = run([[4, 6, 410, true]], open)
    const { circuit, recovered } = step(failing, [3, 14, 200])
    assert.equal(recovered, false)
    assert.deepEqual(circuit, {
      ...newCircuit,
      last_success_at: at(14),
      opened_at: open.opened_at,
      probe_at: open.probe_at,
    })
    assert.equal(mustDisable(circuit, at(80 * 3600)), null)
  })

  test('a probe that fails after such a 2xx delays the next one', () => {
    const circuit = run(
      [
        [16, 17, 200],
        [15, 18, 500],
      ],
      { ...open, opened_at: at(16) },
    )
    assert.equal(isOpen(circuit), false)
    const drained = run(
      [
        [3, 16, 200],
        [15, 17, 500],
      ],
      open,
    )
    assert.equal(drained.failed_attempts, 0, 'it started before the 2xx came in')
    assert.deepEqual(drained.probe_at, at(27))
  })

  test('an earlier 2xx that arrives late does not turn back the time of the last one', () => {
    const circuit = run([
      [0, 9, 200],
      [0, 8, 200],
    ])
    assert.deepEqual(circuit.last_success_at, at(9))
  })

  const status = fc.constantFrom(null, 200, 204, 410, 500)
  const inFlight = fc.array(fc.record({ started: fc.nat(400), took: fc.nat(15), status, exhausted: fc.boolean() }), {
    maxLength: 60,
  })

  test('however attempts overlap and end, the circuit is consistent', () => {
    fc.assert(
      fc.property(inFlight, (attempts) => {
        const byEnd = attempts.toSorted((a, b) => a.started + a.took - (b.started + b.took))
        let circuit = newCircuit
        for (const { started, took, status, exhausted } of byEnd) {
          const [before, now] = [circuit, at(started + took)]
          const { recovered, ...after } = step(before, [started, started + took, status, exhausted])
          circuit = after.circuit
          const { opened_at, probe_at, failing_since, failed_attempts, at_once } = circuit
          const succeeded = status === 200 || status === 204
          assert.equal(opened_at === null, probe_at === null)
          assert.ok(opened_at === null || probe_at === null || probe_at.getTime() - opened_at.getTime() >= 5_000)
          assert.ok(probe_at === null || probe_at.getTime() - now.getTime() <= 60_000)
          assert.equal(failing_since === null, failed_attempts === 0)
          assert.ok(opened_at !== null || failed_attempts < OPENING_FAILURES)
          assert.ok([1, 2, 4, 8].includes(at_once))
          assert.ok(circuit.exhausted_deliveries <= failed_attempts)
          assert.equal(recovered, isOpen(before) && !isOpen(circuit))
          if (!succeeded) assert.ok(!recovered)
          if (succeeded) assert.equal(failed_attempts, 0)
          if (isOpen(circuit)) assert.ok(atOnce(circuit, now) <= 1)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('failures in flight together count the same in every order', () => {
    const failures = fc.array(fc.record({ status: fc.constantFrom(null, 410, 500), exhausted: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    })
    const shuffled = failures.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    const counted = (list: readonly { status: number | null; exhausted: boolean }[]) => {
      const { first_gone_at, last_gone_at, ...rest } = run(
        list.map((a, i): Attempt => [0, 5 + i, a.status, a.exhausted]),
      )
      return { ...rest, gone: first_gone_at !== null && last_gone_at !== null }
    }
    fc.assert(fc.property(shuffled, ([list, other]) => assert.deepEqual(counted(other), counted(list))))
  })
})

describe('disabling', () => {
  const failing: Circuit = {
    ...open,
    failing_since: at(0),
    exhausted_deliveries: FAILING.exhausted_deliveries,
    failed_attempts: FAILING.failed_attempts,
  }
  const end = new Date(start + 72 * HOUR)

  test('72 hours of failures, two exhausted deliveries and twenty failed attempts disable, and less of any one does not', () => {
    assert.equal(mustDisable(failing, end), 'endpoint_failing')
    assert.equal(mustDisable(failing, new Date(end.getTime() - 1)), null)
    assert.equal(mustDisable({ ...failing, exhausted_deliveries: 1 }, end), null)
    assert.equal(mustDisable({ ...failing, failed_attempts: 19 }, end), null)
    assert.equal(mustDisable(newCircuit, end), null)
  })

  test('any 2xx restarts the 72 hours, even one from before the opening', () => {
    for (const started of [1, 15]) {
      const answered = run([[started, 16, 200]], failing)
      assert.equal(mustDisable(answered, new Date(end.getTime() + HOUR)), null)
    }
  })

  test('an endpoint without events for days is not disabled before it has failed for 72 hours', () => {
    const quiet = run(row(0, 200))
    const week = 7 * 24 * 3600
    const failed = Array.from({ length: 30 }, (_, index): Attempt => [week + index, week + index + 1, 500, true])
    assert.equal(mustDisable(run(failed, quiet), at(week + 71 * 3600)), null)
    assert.equal(mustDisable(run(failed, quiet), at(week + 73 * 3600)), 'endpoint_failing')
  })

  test('deliveries that pass their horizon waiting count as exhausted, unless the endpoint has answered since', () => {
    const waiting = { ...failing, exhausted_deliveries: 0 }
    assert.equal(mustDisable(afterExpiry(waiting, 1), end), null)
    assert.equal(mustDisable(afterExpiry(waiting, 2), end), 'endpoint_failing')
    assert.deepEqual(afterExpiry(newCircuit, 2), newCircuit)
  })

  test('two 410 answers at least 30 s apart disable, unless a 2xx comes between them', () => {
    const apart = GONE_APART_MS / 1000
    const first: Attempt = [0, 1, 410]
    const second: Attempt = [apart, apart + 1, 410]
    assert.equal(mustDisable(run([first]), at(apart + 1)), null)
    assert.equal(mustDisable(run([first]), end), null, 'one is not enough, however long ago')
    assert.equal(mustDisable(run([first, second]), at(apart + 1)), 'endpoint_gone')
    assert.equal(mustDisable(run([first, [apart - 0.001, apart + 0.999, 410]]), end), null)
    assert.equal(mustDisable(run([first, [2, 3, 410], [4, 5, 500], second]), at(apart + 1)), 'endpoint_gone')
    assert.equal(mustDisable(run([first, [2, 3, 200], second]), end), null)
  })

  test('an endpoint that is down for good is disabled at 72 hours, not before', () => {
    let circuit = newCircuit
    let disabledAt: Date | null = null
    for (let second = 0, attempts = 0; disabledAt === null && second < 100 * 3600; second++) {
      if (atOnce(circuit, at(second)) === 0) continue
      attempts += 1
      circuit = run([[second, second, null, attempts % 11 === 0]], circuit)
      if (mustDisable(circuit, at(second)) !== null) disabledAt = at(second)
    }
    const hours = ((disabledAt?.getTime() ?? 0) - start) / HOUR
    assert.ok(hours >= 72 && hours < 72.1, String(hours))
  })

  test('the reasons fit their column', () => {
    for (const reason of Object.values(disabledReasons)) assert.ok(reason.length > 0 && reason.length <= 250)
  })
})
