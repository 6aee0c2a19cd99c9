// The kinds of events that a subscription wants, each by itself.
import type { EventType } from '@clinic-data/contract/event-types'
import { useWords } from '../words/language.tsx'

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
