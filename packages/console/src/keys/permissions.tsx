// Lets a reader choose what a key may do: a preset, or every permission in one plain sentence.

import { useWords } from '@clinic-data/console-words/language'
import type { Scope } from '@clinic-data/contract/scopes'
import { allScopes } from '@clinic-data/contract/scopes'
import { type Preset, presetOf, presets, scopesOf, withScope } from '@clinic-data/contract/usual-scopes'
import { Checkbox, Input, Radio, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { ScopeText } from './scope-text.tsx'

interface PermissionsProps {
  scopes: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  fault: string | undefined
}

export function Permissions({ scopes, onChange, fault }: PermissionsProps) {
  const { mint } = useWords()
  const [preset, setPreset] = useState(presetOf(scopes))
  const choose = (next: string) => {
    setPreset(next as Preset)
    const held = scopesOf(next as Preset)
    if (held !== null) onChange([...held])
  }
  const change = (scope: Scope, isHeld: boolean) => {
    const next = withScope(scopes, scope, isHeld)
    setPreset(presetOf(next) ?? 'own')
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
              label={<ScopeText scope={scope} />}
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
