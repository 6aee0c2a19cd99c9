// Continues the trace of a gateway's call of the port (W3C `traceparent`). Only a call that the gateway traces has a span here.
import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const tracer = trace.getTracer('clinic-data-backend')

/** Adds the hooks. Call it after the hook that checks the token: nobody else's trace is continued. */
export function continueTraces(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    if (traceparent === undefined) return done()
    const remote = propagation.extract(ROOT_CONTEXT, { traceparent })
    const flags = trace.getSpanContext(remote)?.traceFlags ?? TraceFlags.NONE
    if ((flags & TraceFlags.SAMPLED) === 0) return done()
    const route = request.routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, remote)
    spans.set(request, span)
    context.with(trace.setSpan(remote, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}
