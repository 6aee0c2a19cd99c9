// The state of a delivery, in a word and a colour. Of one plain element: a list shows it in each row.
import { useWords } from '../words/language.tsx'
import type { Delivery } from './use-deliveries.ts'

const TONES = { delivered: 'good', failed: 'bad', pending: 'quiet' } as const

export function StatusBadge({ status }: { status: Delivery['status'] }) {
  const { status: words } = useWords().webhooks
  return (
    <span className="tone status" data-tone={TONES[status]}>
      {words[status]}
    </span>
  )
}
