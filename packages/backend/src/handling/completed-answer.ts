// Completes an answer that an earlier version stored: the contract may have gained fields since.
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { blankFor } from '@clinic-data/records/storing/complete-record'

/** The answer with every field of its schema, at any depth. A missing one becomes null or an empty list; others are left as they are. */
export function completedAnswer(schema: JsonSchema, answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((item) => completedAnswer(schema.items ?? {}, item))
  if (typeof answer !== 'object' || answer === null) return answer
  const completed: Record<string, unknown> = { ...answer }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = name in completed ? completedAnswer(field, completed[name]) : blankFor(field)
    if (value !== undefined) completed[name] = value
  }
  return completed
}
