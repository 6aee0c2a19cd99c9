// The metrics endpoint: OpenTelemetry's measurements in the text form that Prometheus reads, on the private port.
import { metrics } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { FastifyInstance } from 'fastify'

/** Sets the process's meters up. Call it once, before anything that measures is imported. */
export function startMetrics(): PrometheusExporter {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }))
  return exporter
}

export function metricsRoute(app: FastifyInstance, exporter: PrometheusExporter): void {
  const serializer = new PrometheusSerializer()
  app.get('/metrics', async (_request, reply) => {
    const { resourceMetrics } = await exporter.collect()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(serializer.serialize(resourceMetrics))
  })
}
