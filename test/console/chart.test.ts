// The drawing of the console's charts: an axis holds every figure between round ones, and the shapes stand where the figures say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisOver } from '@clinic-data/console-parts/charts/chart-axis'
import { barPath, linePath } from '@clinic-data/console-parts/charts/chart-paths'
import fc from 'fast-check'

test('an axis begins at a round figure, ends at one, and holds zero and every value between them', () => {
  assert.deepEqual(axisOver([3, 7]).ticks, [0, 2, 4, 6, 8])
  assert.deepEqual(axisOver([0.1, 0.29]).ticks, [0, 0.1, 0.2, 0.3])
  assert.deepEqual(axisOver([-40, 100]).ticks, [-50, 0, 50, 100])
  // Counts, sums of cents, and rates.
  const value = fc.tuple(fc.integer(), fc.constantFrom(1, 100, 10_000)).map(([whole, unit]) => whole / unit)
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), (values) => {
      const { from, to, ticks } = axisOver(values)
      assert.ok(from <= Math.min(0, ...values) && to >= Math.max(0, ...values) && from < to, `${from} to ${to}`)
      assert.ok(ticks.length >= 2 && ticks.length <= 7, String(ticks))
      assert.ok(ticks.includes(0), String(ticks))
    }),
  )
})

test('an axis of things that are counted has no halves, and one of nothing has a top', () => {
  for (const values of [[], [0], [1], [2, 3], [7, 10]]) assert.ok(axisOver(values).ticks.every(Number.isInteger))
  assert.deepEqual(axisOver([]).ticks, [0, 1])
})

/** From 0 at the bottom to 10 at the top. */
const level = (value: number) => 1 - value / 10

test('a line breaks where a point has no figure', () => {
  assert.equal(linePath([10, 5, null, 0], level), 'M0.5 0L1.5 0.5M3.5 1')
})

test('a bar stands on those below it, and one of nothing is not drawn', () => {
  const [, base, top] = /^M[\d.]+ ([\d.]+)V([\d.]+)/.exec(barPath([3], level, { below: [[2], [null], [1]] })) ?? []
  assert.deepEqual([base, top].map(Number), [0.7, 0.4])
  assert.equal(barPath([0, null], level, { below: [] }), '')
})

test('bars beside each other do not touch their neighbours', () => {
  const edges = [0, 1].flatMap((at) => {
    const path = barPath(Array(30).fill(4), level, { beside: { at, of: 2 } })
    return [...path.matchAll(/M([\d.]+) .*?h([\d.]+)/g)].map(
      ([, start, width]) => [Number(start), Number(width)] as const,
    )
  })
  const sorted = edges.toSorted(([a], [b]) => a - b)
  assert.equal(sorted.length, 60)
  for (const [at, [start, width]] of sorted.entries()) {
    const next = sorted[at + 1]?.[0] ?? 30
    assert.ok(start >= 0 && start + width <= next + 1e-9, `${start} ${width} ${next}`)
  }
})
