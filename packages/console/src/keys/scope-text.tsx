// A permission in one plain sentence, with its name in the API.

import { useWords } from '@clinic-data/console-words/language'
import type { Scope } from '@clinic-data/contract/scopes'
import { Text } from '@mantine/core'

export function ScopeText({ scope }: { scope: Scope }) {
  const { scopes } = useWords()
  return (
    <>
      {scopes[scope]}{' '}
      <Text span size="xs" c="dimmed" ff="monospace">
        <bdi dir="ltr">{scope}</bdi>
      </Text>
    </>
  )
}

export function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <ul>
      {scopes.map((scope) => (
        <li key={scope}>
          <ScopeText scope={scope} />
        </li>
      ))}
    </ul>
  )
}
