// Adds up the measurements of several processes, as if one had made them all.
import {
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics'

type Point = DataPoint<number | Histogram>

/**
 * Adds the points with the same scope, name and attributes: counters, gauges, and histograms bucket by bucket. Of gauges that tell a
 * time or a ratio the largest counts: two processes that are a second late are not two seconds late.
 */
export function summed(all: readonly (readonly ScopeMetrics[])[]): ScopeMetrics[] {
  const scopes = new Map<string, ScopeMetrics>()
  for (const { scope, metrics } of all.flat()) {
    const before = scopes.get(scope.name)?.metrics ?? []
    scopes.set(scope.name, { scope, metrics: sumOfMetrics([...before, ...metrics]) })
  }
  return [...scopes.values()]
}

/** Returns what a process leaves behind when it ends: its counters and histograms, but not what it was like at the moment. */
export function lasting(metrics: readonly ScopeMetrics[]): ScopeMetrics[] {
  return metrics.map((one) => ({
    scope: one.scope,
    metrics: one.metrics.filter(({ dataPointType }) => dataPointType !== DataPointType.GAUGE),
  }))
}

function sumOfMetrics(metrics: readonly MetricData[]): MetricData[] {
  const byName = new Map<string, MetricData>()
  for (const metric of metrics) {
    const { name } = metric.descriptor
    const points = [...(byName.get(name)?.dataPoints ?? []), ...metric.dataPoints] as Point[]
    byName.set(name, {
      ...metric,
      dataPoints: sumOfPoints(points, isLargest(metric) ? largest : sumOfValues),
    } as MetricData)
  }
  return [...byName.values()]
}

const UNITS_OF_LARGEST = ['s', '1']

function isLargest({ dataPointType, descriptor }: MetricData): boolean {
  return dataPointType === DataPointType.GAUGE && UNITS_OF_LARGEST.includes(descriptor.unit)
}

type Combine = (one: Point['value'], other: Point['value']) => Point['value']

function sumOfPoints(points: readonly Point[], combine: Combine): Point[] {
  const byAttributes = new Map<string, Point>()
  for (const point of points) {
    const key = JSON.stringify(point.attributes)
    const before = byAttributes.get(key)
    byAttributes.set(key, before ? { ...before, value: combine(before.value, point.value) } : point)
  }
  return [...byAttributes.values()]
}

function largest(one: Point['value'], other: Point['value']): number {
  return Math.max(Number(one), Number(other))
}

function sumOfValues(one: Point['value'], other: Point['value']): Point['value'] {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) + Number(other)
  const { boundaries, counts } = one.buckets
  return {
    buckets: { boundaries, counts: counts.map((count, at) => count + (other.buckets.counts[at] ?? 0)) },
    sum: (one.sum ?? 0) + (other.sum ?? 0),
    count: one.count + other.count,
  }
}
