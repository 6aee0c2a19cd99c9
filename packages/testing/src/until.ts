// Asks again until something is there: for programs that tell nobody when they are ready.
import { setTimeout as delay } from 'node:timers/promises'

const ASK_AGAIN_MS = 50
/** Nothing takes a half of it, even on a busy machine. */
const PATIENCE_MS = 90_000

/** Resolves with the first answer that is neither null nor false. @throws Error with the text of `otherwise` when none comes. */
export async function until<T>(
  ask: () => Promise<T | null | false>,
  otherwise: () => string,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== false) return answer
    if (performance.now() > endsAt) throw new Error(otherwise())
    await delay(ASK_AGAIN_MS)
  }
}
