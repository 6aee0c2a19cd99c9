// Outcomes of attempts, as the tests of the HTTP client compare them.
import type { AttemptOutcome } from '../src/receiver/target-client.ts'

/** The reliable parts of an outcome. Durations are checked where they matter. */
export function said({ response_status, error, retry_after }: AttemptOutcome) {
  return { response_status, error, retry_after }
}

export const lost = (error: string) => ({ response_status: null, error, retry_after: null })
