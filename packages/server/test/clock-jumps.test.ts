// A jump of the wall clock is reported once, in the log and by a metric. A slow correction is not reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics } from '@opentelemetry/api'
import Fastify from 'fastify'
import { ClockJumps } from '../src/clock-jumps.ts'
import { metricsRoute, startMetrics } from '../src/private/prometheus.ts'

// An earlier file in this process may have set its meters up.
metrics.disable()
const exporter = startMetrics()

class Clocks {
  wallMs = Date.parse('2026-07-12T06:30:00Z')
  monotonicMs = 5_000
  readonly lines: unknown[] = []
  readonly jumps = new ClockJumps({
    log: { warn: (detail: object, line?: string) => void this.lines.push([detail, line]) },
    wall: () => this.wallMs,
    monotonic: () => this.monotonicMs,
  })

  pass(ms: number, wallMs = ms): void {
    this.wallMs += wallMs
    this.monotonicMs += ms
    this.jumps.look()
  }
}

test('a jump ahead and the jump back are logged once each, however often the clock is checked', async () => {
  const clocks = new Clocks()
  for (let n = 0; n < 5; n++) clocks.pass(1_000)
  clocks.pass(1_000, 3_601_000)
  for (let n = 0; n < 180; n++) clocks.pass(1_000)
  clocks.pass(1_000, -3_599_500)
  clocks.pass(1_000)
  assert.deepEqual(clocks.lines, [
    [{ jump_seconds: 3600 }, 'the clock of this machine has jumped ahead'],
    [{ jump_seconds: -3600.5 }, 'the clock of this machine has jumped back'],
  ])
  const app = Fastify()
  metricsRoute(app, exporter)
  const { payload } = await app.inject('/metrics')
  assert.match(payload, /^clock_jumps_total\{[^}]*direction="ahead"[^}]*\} 1$/m)
  assert.match(payload, /^clock_jumps_total\{[^}]*direction="back"[^}]*\} 1$/m)
})

test('a slow correction of the clock and a suspended process do not count as jumps', () => {
  const clocks = new Clocks()
  for (let n = 0; n < 3_600; n++) clocks.pass(1_000, 1_000.5)
  clocks.pass(45_000)
  clocks.pass(1_000, 1_999)
  assert.deepEqual(clocks.lines, [])
})
