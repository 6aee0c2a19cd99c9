// The state of a delivery, in a word and a colour.
import { Badge } from '@mantine/core'
import { useWords } from '../words/language.tsx'
import type { Delivery } from './use-deliveries.ts'

const TONES = { delivered: 'good', failed: 'bad', pending: 'quiet' } as const

export function StatusBadge({ status }: { status: Delivery['status'] }) {
  const { status: words } = useWords().webhooks
  return (
    <Badge className="tone" data-tone={TONES[status]} variant="default" tt="none" fw={600}>
      {words[status]}
    </Badge>
  )
}
