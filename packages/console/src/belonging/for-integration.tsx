// For which integration something is that is granted access: an existing one, or a new one by name.

import { api } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../roles.ts'

const NONE = ''
const NEW = 'new'

/** Without a field the service finds it: for whoever may not choose. */
export interface Granted {
  integration_id?: string
  integration_name?: string
}

export const CHOICE_FIELDS = ['integration_id', 'integration_name'] as const

interface Begun {
  /** Names what is chosen, should the session end. */
  draft: string
  /** Where the form was opened, or to which the app belongs. */
  preset?: { id: string; name: string } | null | undefined
  /** Offered for a new one. */
  newName?: string
}

export function useIntegrationChoice({ draft, preset = null, newName = '' }: Begun) {
  const mayChoose = useMay()('joinIntegration')
  const listed = useQuery({
    queryKey: [...INTEGRATIONS, 'list'],
    queryFn: () => api.listIntegrations(false),
    enabled: mayChoose,
    // Nothing is granted to a stopped one.
    select: (all) => all.filter(({ id, stopped_at }) => id !== preset?.id && stopped_at === null),
  })
  const [picked, pick] = useDraft(`${draft} integration`, preset?.id ?? (newName === '' ? NONE : NEW))
  const [name, setName] = useDraft(`${draft} new integration`, newName)
  const [isAsked, setAsked] = useState(false)
  const others = [...(preset === null ? [] : [preset]), ...(listed.data ?? [])]
  // The first one of a clinic is always new.
  const chosen = picked === NONE && listed.isSuccess && others.length === 0 ? NEW : picked
  return {
    mayChoose,
    listed,
    others,
    chosen,
    pick,
    name,
    setName,
    isMissing: isAsked && chosen === NONE,
    /** False until the choice is shown, or there is none. */
    isKnown: !mayChoose || !listed.isPending,
    /** Null: nothing is chosen, and the field says so. */
    take: (): Granted | null => {
      setAsked(true)
      if (!mayChoose) return {}
      if (chosen === NONE) return null
      return chosen === NEW ? { integration_name: name.trim() } : { integration_id: chosen }
    },
  }
}

interface ForIntegrationProps {
  choice: ReturnType<typeof useIntegrationChoice>
  error: unknown
}

export function ForIntegration({ choice, error }: ForIntegrationProps) {
  const words = useWords()
  const { forIntegration } = words
  const { mayChoose, listed, others, chosen, pick, name, setName, isMissing } = choice
  if (!mayChoose) return null
  return (
    <>
      <NativeSelect
        label={forIntegration.which}
        value={chosen}
        onChange={({ currentTarget }) => pick(currentTarget.value)}
        error={isMissing ? forIntegration.chooseOne : faultText(error, 'integration_id', words)}
        data={[
          ...(chosen === NONE ? [{ value: NONE, label: forIntegration.choose }] : []),
          ...others.map((one) => ({ value: one.id, label: one.name })),
          { value: NEW, label: forIntegration.own },
        ]}
      />
      {chosen === NEW && (
        <TextInput
          label={forIntegration.newName}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={faultText(error, 'integration_name', words)}
          required
          withAsterisk={false}
          maxLength={200}
        />
      )}
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
    </>
  )
}
