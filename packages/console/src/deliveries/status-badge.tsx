// The state of a delivery, in a word and a colour. Of plain elements: a list shows it in each row.
import { useWords } from '@clinic-data/console-words/language'
import type { Delivery } from './use-deliveries.ts'

const TONES = { delivered: 'good', failed: 'bad', retried: 'bad', pending: 'quiet' } as const

/** A delivery that waits for another attempt has failed before. */
function stateOf({ status, error }: Delivery): keyof typeof TONES {
  return status === 'pending' && error !== null ? 'retried' : status
}

export function StatusBadge({ delivery }: { delivery: Delivery }) {
  const { status, test } = useWords().webhooks.deliveries.badges
  const state = stateOf(delivery)
  return (
    <span className="statuses">
      <span className="tone status" data-tone={TONES[state]}>
        {status[state]}
      </span>
      {delivery.is_test && <span className="tone status">{test}</span>}
    </span>
  )
}
