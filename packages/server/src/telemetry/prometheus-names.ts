// The names of measurements as Prometheus writes them: with the unit last, `http_server_request_duration_seconds`.
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'

const UNIT_WORDS: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' }

/** Counters get `_total` besides, from the exporter. */
function nameWithUnit({ name, unit }: { name: string; unit: string }): string {
  const word = UNIT_WORDS[unit]
  return word === undefined ? name : `${name}_${word}`
}

/** @example prometheusName({ name: 'process.cpu.time', unit: 's', kind: 'counter' }) // 'process_cpu_time_seconds_total' */
export function prometheusName(metric: { name: string; unit: string; kind: string }): string {
  return `${labelName(nameWithUnit(metric))}${metric.kind === 'counter' ? '_total' : ''}`
}

/** @example labelName('cpu.mode') // 'cpu_mode' */
export function labelName(attribute: string): string {
  return attribute.replaceAll('.', '_')
}

export function withUnits({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((one) => ({
        ...one,
        descriptor: { ...one.descriptor, name: nameWithUnit(one.descriptor) },
      })),
    })),
  }
}
