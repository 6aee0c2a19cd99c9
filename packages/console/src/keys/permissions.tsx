// What a key may do: a preset, and every permission in one plain sentence.

import type { Scope } from '@clinic-data/contract/scopes'
import { allScopes } from '@clinic-data/contract/scopes'
import { Checkbox, Input, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../words/language.tsx'
import { type Preset, presetOf, presets, scopesOf, withScope } from './presets.ts'

interface PermissionsProps {
  scopes: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  fault: string | undefined
}

export function Permissions({ scopes, onChange, fault }: PermissionsProps) {
  const words = useWords()
  const { mint } = words
  const [preset, setPreset] = useState(presetOf(scopes))
  const choose = (next: string) => {
    setPreset(next as Preset)
    const held = scopesOf(next as Preset)
    if (held !== null) onChange([...held])
  }
  const change = (scope: Scope, isHeld: boolean) => {
    const next = withScope(scopes, scope, isHeld)
    setPreset(presetOf(next))
    onChange([...next])
  }
  return (
    <>
      <Radio.Group label={mint.presets} value={preset} onChange={choose}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
          {presets.map((one) => (
            <Choice key={one} preset={one} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <fieldset className="permissions">
        <Input.Label component="legend">{mint.scopes}</Input.Label>
        <Stack gap={2} mt={6}>
          {allScopes.map((scope) => (
            <Checkbox
              key={scope}
              className="permission"
              size="sm"
              checked={scopes.includes(scope)}
              onChange={({ currentTarget }) => change(scope, currentTarget.checked)}
              label={
                <>
                  {words.scopes[scope]}{' '}
                  <Text span size="xs" c="dimmed" ff="monospace">
                    <bdi dir="ltr">{scope}</bdi>
                  </Text>
                </>
              }
            />
          ))}
        </Stack>
        {fault && <Input.Error mt="xs">{fault}</Input.Error>}
      </fieldset>
    </>
  )
}

function Choice({ preset }: { preset: Preset }) {
  const [name, text] = useWords().mint.preset[preset]
  return <Radio className="choice" value={preset} label={name} description={text} />
}
