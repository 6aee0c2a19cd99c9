// The name of whoever did something. A connected app stands with the person who connected it.

import type { Words } from '@clinic-data/console-words/en'
import { useWords } from '@clinic-data/console-words/language'
import type { Actor } from '../api.ts'

export function ActorName({ who: { id, name, kind, connected_by } }: { who: Actor }) {
  const { activity } = useWords()
  if (kind === 'watch') return activity.kinds.watch
  const shown = <bdi>{name ?? id}</bdi>
  if (connected_by === null) return shown
  return (
    <>
      {shown}
      {activity.connectedBy} <bdi>{connected_by}</bdi>
    </>
  )
}

/** The same without elements. Each name is apart from the text around it, whichever direction it has. */
export function actorText({ id, name, connected_by }: Actor, { activity }: Words): string {
  if (connected_by === null) return name ?? id
  return `\u2068${name ?? id}\u2069${activity.connectedBy} \u2068${connected_by}\u2069`
}
