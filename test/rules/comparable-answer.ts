// What two answers of one read have in common when nothing has changed between them.
import type { Operation } from '@clinic-data/contract'

/** A signed link, where a feed goes on, and when what is due is attempted, are others a moment later: they are left out. */
export function comparable({ shape }: Operation, answer: unknown): unknown {
  const timeless = JSON.parse(JSON.stringify(answer, (name, value) => (name === 'next_attempt_at' ? undefined : value)))
  const { resume_cursor: _, ...rest } = timeless as { data: Record<string, unknown>; resume_cursor?: string }
  if (shape !== 'link') return rest
  const { url: __, expires_at: ___, ...file } = rest.data
  return file
}
