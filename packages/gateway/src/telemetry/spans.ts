// Spans of a traced request: the request itself, and the steps within it. Where tracing is off no span is active, and asking that is
// all that a step costs.
//
// Nothing of a request's content is in a span: no path (it holds ids), no query, no header, no text of an error.
import { Problem } from '@clinic-data/contract'
import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const tracer = trace.getTracer('clinic-data-gateway')

/** Whether the request under way is traced. */
export function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true
}

/** Runs a step of the request under way as a span of its own, if the request is traced. */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work()
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work()
    } catch (error) {
      fail(span, error instanceof Problem ? error.slug : error instanceof Error ? error.name : 'error')
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * Traces the requests of a listener. A `traceparent` of the client is not followed: anybody could make the service record every
 * request.
 *
 * @param routeOf the path of the contract, with the names of its parameters.
 */
export function traceRequests(app: FastifyInstance, routeOf: (request: FastifyRequest) => string): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.isProbe) return done()
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, root: true })
    spans.set(request, span)
    context.with(trace.setSpan(ROOT_CONTEXT, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    if (span === undefined) return done()
    span.updateName(`${request.method} ${routeOf(request)}`)
    span.setAttributes(attributesOf(request, routeOf(request), reply.statusCode))
    if (reply.statusCode >= 500) fail(span, String(reply.statusCode))
    span.end()
    // The hooks after this one write the request's line of the log, which names the trace.
    context.with(trace.setSpan(ROOT_CONTEXT, span), done)
  })
}

function attributesOf(request: FastifyRequest, route: string, status: number): Attributes {
  const { operation } = request.observed
  return {
    'http.request.method': request.method,
    'http.route': route,
    'http.response.status_code': status,
    'clinic_data.request_id': request.id,
    ...(operation && { 'clinic_data.operation': operation.id }),
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
