// The kinds of events that a subscription wants, each by itself.

import { useWords } from '@clinic-data/console-words/language'
import type { EventType } from '@clinic-data/contract/event-types'

export function EventChips({ types }: { types: readonly EventType[] }) {
  const { form, types: words } = useWords().webhooks
  return (
    <ul className="event-chips" aria-label={form.types}>
      {types.map((type) => (
        <li key={type}>{words[type].replace(/\.$/, '')}</li>
      ))}
    </ul>
  )
}
