// Measurements of several processes add up to those that one process would have made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider, type ResourceMetrics, type ScopeMetrics } from '@opentelemetry/sdk-metrics'
import { lasting, summed } from '../src/private/summed-metrics.ts'

type Recorded = readonly [counted: readonly [string, number][], seconds: readonly number[], level: number]

/** Returns what a process measures, as it arrives through a channel. */
async function measured([counted, seconds, level]: Recorded): Promise<ResourceMetrics> {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ readers: [exporter] })
  const meter = provider.getMeter('one')
  const calls = meter.createCounter('calls')
  for (const [kind, times] of counted) calls.add(times, { kind })
  const took = provider.getMeter('two').createHistogram('took', { advice: { explicitBucketBoundaries: [1, 10] } })
  for (const one of seconds) took.record(one)
  meter.createObservableGauge('level').addCallback((result) => result.observe(level))
  const { resourceMetrics } = await exporter.collect()
  await provider.shutdown()
  return resourceMetrics
}

const overChannel = ({ scopeMetrics }: ResourceMetrics): ScopeMetrics[] => JSON.parse(JSON.stringify(scopeMetrics))
const shown = (resourceMetrics: ResourceMetrics) =>
  new PrometheusSerializer().serialize(resourceMetrics).split('\n').sort()

test('counters, histograms and gauges add up by their attributes', async () => {
  const [one, other] = [
    await measured([[['a', 2]], [0.5, 5], 3]),
    await measured([
      [
        ['a', 1],
        ['b', 7],
      ],
      [20, 2],
      4,
    ]),
  ]
  const whole = await measured([
    [
      ['a', 3],
      ['b', 7],
    ],
    [0.5, 5, 20, 2],
    7,
  ])
  const sum = { ...one, scopeMetrics: summed([one.scopeMetrics, overChannel(other), []]) }
  assert.deepEqual(shown(sum), shown(whole))
})

test('of gauges in seconds and of ratios the largest counts', async () => {
  const late = async (seconds: number, ratio: number) => {
    const exporter = new PrometheusExporter({ preventServerStart: true })
    const meter = new MeterProvider({ readers: [exporter] }).getMeter('one')
    meter.createObservableGauge('late', { unit: 's' }).addCallback((result) => result.observe(seconds))
    meter.createObservableGauge('busy', { unit: '1' }).addCallback((result) => result.observe(ratio))
    return (await exporter.collect()).resourceMetrics.scopeMetrics
  }
  const values = summed([await late(3, 0.2), await late(2, 0.9)]).flatMap(({ metrics }) =>
    metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints.map(({ value }) => value)]),
  )
  assert.deepEqual(values, [
    ['late', [3]],
    ['busy', [0.9]],
  ])
})

test('a process that has ended leaves its counters and histograms, and no gauge', async () => {
  const one = await measured([[['a', 2]], [5], 3])
  const left = lasting(overChannel(one)).flatMap(({ metrics }) => metrics.map(({ descriptor }) => descriptor.name))
  assert.deepEqual(left.sort(), ['calls', 'took'])
})
