// The integration to which a key, a connected app or a webhook belongs, with the way to its page.

import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Text } from '@mantine/core'
import { OpenLink } from './open-link.tsx'

/** The part of the address that shows an integration. */
export const searchOf = (id: string) => `?${new URLSearchParams({ integration: id })}`

export function IntegrationName({ of: { id, name } }: { of: { id: string; name: string } }) {
  return (
    <OpenLink to="integrations" search={searchOf(id)}>
      <bdi>{name}</bdi>
    </OpenLink>
  )
}

/** A small line below the name of what belongs to it. */
export function Belonging({ to }: { to: { id: string; name: string } | null }) {
  const { integrations } = useIntegrationWords()
  if (to === null) return null
  return (
    <Text size="xs" c="dimmed">
      {integrations.partOf} <IntegrationName of={to} />
    </Text>
  )
}
