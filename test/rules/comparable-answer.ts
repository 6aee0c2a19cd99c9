// The parts of a read's answer that stay equal when nothing has changed.
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '@clinic-data/contract'

/** Leaves out the parts that change with time: a signed link, a feed's cursor, and the time of the next attempt. */
export function comparable({ shape }: Operation, answer: unknown): unknown {
  const timeless = JSON.parse(JSON.stringify(answer, (name, value) => (name === 'next_attempt_at' ? undefined : value)))
  const { resume_cursor: _, ...rest } = timeless as { data: Record<string, unknown>; resume_cursor?: string }
  if (shape !== 'link') return rest
  const { url: __, expires_at: ___, ...file } = rest.data
  return file
}

/**
 * Does the work between two equal answers. A dispatcher of the service may send a message of the clinic meanwhile: then everything is done
 * again.
 */
export async function betweenEqual<T>(
  answer: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<{ done: T; answered: unknown }> {
  for (;;) {
    const answered = await answer()
    const done = await work()
    if (isDeepStrictEqual(answered, await answer())) return { done, answered }
  }
}
