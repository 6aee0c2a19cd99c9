// One of the facts that a card lists, with what there is to say about it. Stands in a `dl`.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function Fact({ name, hints = [], children }: { name: string; hints?: readonly string[]; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0}>
        {children}
        {hints.map((hint) => (
          <Text key={hint} span display="block" size="xs" c="dimmed">
            {hint}
          </Text>
        ))}
      </Text>
    </div>
  )
}
