// The field that finds integrations by their name, above a list that is too long to look through.
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** A longer list has the field. */
const FEW = 12

interface FindByNameProps<T> {
  all: readonly T[]
  /** The list of those that are found: all of them at first. */
  children: (found: readonly T[]) => ReactNode
}

export function FindByName<T extends { name: string }>({ all, children }: FindByNameProps<T>) {
  const { integrations: words } = useIntegrationWords()
  const [sought, setSought] = useState('')
  const part = sought.trim().toLocaleLowerCase()
  return (
    <>
      {all.length > FEW && (
        <TextInput
          label={words.find}
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value)}
          maw={320}
        />
      )}
      {children(all.filter(({ name }) => name.toLocaleLowerCase().includes(part)))}
    </>
  )
}
