// A key, a connected app, a webhook or an integration by its name, with the way to its page.

import type { Home } from '@clinic-data/console-parts/api'
import { OpenLink } from '../belonging/open-link.tsx'
import type { PlaceName } from '../places.tsx'

type Kind = Home['news'][number]['kind']

const PLACE_OF: Readonly<Record<Kind, readonly [place: PlaceName, parameter: string]>> = {
  key: ['keys', 'key'],
  connection: ['connections', 'connection'],
  webhook: ['webhooks', 'webhook'],
  disabled_webhook: ['webhooks', 'webhook'],
  stopped: ['integrations', 'integration'],
}

export function MemberLink({ kind, id, name }: { kind: Kind; id: string; name: string }) {
  const [place, parameter] = PLACE_OF[kind]
  return (
    <OpenLink to={place} search={`?${new URLSearchParams({ [parameter]: id })}`}>
      <bdi className="broken-anywhere">{name}</bdi>
    </OpenLink>
  )
}
