// Serves OpenTelemetry's measurements on the private listener, in the text form that Prometheus reads.
import { metrics } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { FastifyInstance } from 'fastify'
import { withUnits } from '../telemetry/prometheus-names.ts'
import { isNamedHost } from './named-host.ts'

/**
 * Sets the process's meters up. Call it once, before anything that measures is made.
 *
 * @param attributes what the process is, for `target_info`.
 */
export function startMetrics(attributes: Readonly<Record<string, string>> = {}): PrometheusExporter {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const resource = resourceFromAttributes(attributes)
  metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [exporter] }))
  return exporter
}

/** Where measurements come from: this process's exporter, or that of several. */
export interface Measurements {
  collect(): Promise<{ resourceMetrics: ResourceMetrics }>
}

/** @param hosts names that the listener answers to, besides addresses and names without a dot. */
export function metricsRoute(app: FastifyInstance, source: Measurements, hosts: readonly string[] = []): void {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  app.get('/metrics', async (request, reply) => {
    if (!isNamedHost(request.headers.host ?? '', hosts)) return reply.code(403).send()
    const { resourceMetrics } = await source.collect()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(serializer.serialize(withUnits(resourceMetrics)))
  })
}
