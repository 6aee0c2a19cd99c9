// For which of the clinic's integrations an app is connected. Shown only where there is a choice.

import { type AccessRequest, api } from '@clinic-data/console-parts/api'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../roles.ts'

/** The app's usual one: that of its earlier connections, or one of its own. */
const USUAL = ''

export function useIntegrationChoice({ integration }: AccessRequest) {
  const mayChoose = useMay()('listIntegrations')
  const [chosen, choose] = useState(USUAL)
  const listed = useQuery({
    queryKey: [...INTEGRATIONS, 'list'],
    queryFn: () => api.listIntegrations(false),
    enabled: mayChoose,
    // Nothing is connected for a stopped one.
    select: (all) => all.filter(({ id, stopped_at }) => id !== integration?.id && stopped_at === null),
  })
  return {
    chosen,
    choose,
    others: listed.data ?? [],
    /** False until the choice is shown, or there is none. */
    isKnown: !mayChoose || !listed.isPending,
    granted: chosen === USUAL ? {} : { integration_id: chosen },
  }
}

interface ForIntegrationProps {
  access: AccessRequest
  choice: ReturnType<typeof useIntegrationChoice>
}

export function ForIntegration({ access, choice: { chosen, choose, others } }: ForIntegrationProps) {
  const { consent } = useAppWords()
  if (others.length === 0) return null
  return (
    <NativeSelect
      className="life"
      size="sm"
      label={consent.integration}
      value={chosen}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[
        { value: USUAL, label: access.integration?.name ?? consent.ownIntegration },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
