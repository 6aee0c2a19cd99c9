// The permissions of an app as boxes, which can be taken away one by one: what it reads, and what it changes.

import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import { allScopes, isReading, type Scope } from '@clinic-data/contract/scopes'
import { Checkbox, Input, Text } from '@mantine/core'

interface ScopeBoxesProps {
  /** All that can be had. */
  offered: readonly Scope[]
  chosen: readonly Scope[]
  onChange: (chosen: Scope[]) => void
  fault: string | undefined
}

export function ScopeBoxes({ offered, fault, ...boxes }: ScopeBoxesProps) {
  const { consent } = useAppWords()
  const reads = offered.filter(isReading)
  const changes = offered.filter((scope) => !isReading(scope))
  return (
    <div>
      {reads.length > 0 && <Boxes legend={consent.reads} scopes={reads} {...boxes} />}
      {changes.length > 0 && <Boxes legend={consent.changes} scopes={changes} isStrong {...boxes} />}
      {fault && (
        <Input.Error mt="xs" role="alert">
          {fault}
        </Input.Error>
      )}
    </div>
  )
}

interface BoxesProps extends Pick<ScopeBoxesProps, 'chosen' | 'onChange'> {
  legend: string
  scopes: readonly Scope[]
  isStrong?: boolean
}

function Boxes({ legend, scopes, chosen, onChange, isStrong = false }: BoxesProps) {
  const words = useWords()
  const change = (changed: Scope, isHeld: boolean) =>
    onChange(allScopes.filter((scope) => (scope === changed ? isHeld : chosen.includes(scope))))
  return (
    <fieldset className="permissions scope-boxes" data-strong={isStrong || undefined}>
      <Text component="legend" size="sm" fw={600}>
        {legend}
      </Text>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          size="xs"
          value={scope}
          checked={chosen.includes(scope)}
          onChange={({ currentTarget }) => change(scope, currentTarget.checked)}
          label={words.scopes[scope]}
        />
      ))}
    </fieldset>
  )
}
