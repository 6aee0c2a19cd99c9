// Sends traces to a collector by OTLP (HTTP, JSON). Loaded only where `OTEL_EXPORTER_OTLP_ENDPOINT` is set: elsewhere no span is made.
import type { Log } from '@clinic-data/gateway/telemetry/log'
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

/** Less than a stop waits: a collector that is away delays it no longer. */
const EXPORT_MS = 5_000

export interface TracingOptions {
  /** They say what the process is. */
  attributes: Readonly<Record<string, string>>
  /** The part of the requests that is traced, from 0 to 1. */
  ratio: number
  log: Pick<Log, 'warn'>
}

/**
 * The exporter itself reads the standard variables: address, headers, compression, time limit.
 *
 * @returns a function that sends what is left, and ends it.
 */
export function startTracing({ attributes, ratio, log }: TracingOptions): () => Promise<void> {
  const tell = (reason: string) => log.warn({ reason: reason.slice(0, 200) }, 'traces could not be sent')
  const quiet = () => undefined
  diag.setLogger({ error: tell, warn: quiet, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.ERROR)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const exporter = new OTLPTraceExporter()
  const provider = new TracerProvider({
    resource: resourceFromAttributes(attributes),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  })
  trace.setGlobalTracerProvider(provider)
  return () => provider.shutdown()
}
