// Spans of statements within a traced request. Where tracing is off no span is active, and asking that is all that a statement costs.
//
// A span has the statement's text, whose values are placeholders. The settings of a transaction, which name the clinic, are left out.
import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { RenderedStatement } from '../sql.ts'

const tracer = trace.getTracer('clinic-data-database')

/** Runs statements that leave together, as one span if the request under way is traced. */
export function inStatementSpan<T>(
  statements: readonly Pick<RenderedStatement, 'text'>[],
  work: () => Promise<T>,
): Promise<T> {
  if (trace.getActiveSpan()?.isRecording() !== true) return work()
  const texts = statements.map(({ text }) => text.trim()).filter((text) => !/^(?:begin|set local)\b/.test(text))
  const attributes: Attributes = {
    'db.system.name': 'postgresql',
    'db.query.text': texts.join(';\n'),
    ...(texts.length > 1 && { 'db.operation.batch.size': texts.length }),
  }
  const name = [...new Set(texts.map(summaryOf))].join('; ') || 'BEGIN'
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setAttribute('error.type', (error as { code?: string }).code ?? (error as Error).name)
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The verb and the first table. @example summaryOf('select id from patient where …') // 'SELECT patient' */
function summaryOf(text: string): string {
  const verb = /^\w+/.exec(text)?.[0].toUpperCase() ?? ''
  const table = /\b(?:from|into|update) +([a-z_]+)/.exec(text)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}
