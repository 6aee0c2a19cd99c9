// Says of each webhook whose deliveries wait that they do, until when, and what to do.
import type { Row } from './cells.ts'

/** A backend that does not tell has no circuit, and one that `--fields` left out is not told of. */
interface Circuit {
  readonly state?: string
  readonly opened_at?: string | null
  readonly next_attempt_at?: string | null
}

export function openCircuitHints(webhooks: readonly Row[]): string[] {
  return webhooks.flatMap(({ id, circuit, event_types }) => {
    const { state, opened_at, next_attempt_at } = (circuit ?? {}) as Circuit
    if (state !== 'open' && state !== 'half_open') return []
    const next = next_attempt_at ?? 'as soon as a delivery is due'
    return [
      `the address of ${id} fails, so its deliveries wait, since ${opened_at}; none is lost; next attempt ${next}. Repair the address, then try it: sc webhooks test ${id} --event-type ${wantedType(event_types)}`,
    ]
  })
}

/** A type that the webhook wants: a test event is sent to it whatever its type, and its program may know no other. */
function wantedType(event_types: unknown): string {
  return (Array.isArray(event_types) && event_types.find((type) => typeof type === 'string')) || 'appointment.updated'
}
