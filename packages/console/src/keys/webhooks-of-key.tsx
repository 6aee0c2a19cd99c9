// The webhooks that a key made. They are the clinic's and go on when it is revoked, unless they are stopped or deleted with it.

import { api, type ConsoleKey } from '@clinic-data/console-parts/api'
import { WEBHOOKS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { Alert, Code, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

const fates = ['keep', 'stop', 'remove'] as const
export type Fate = (typeof fates)[number]

interface Made {
  id: string
  url: string
}

/** Read anew for each question. */
export function useWebhooksOf(key: ConsoleKey | null) {
  return useQuery({
    queryKey: [...WEBHOOKS, 'of-key', key?.id ?? null],
    enabled: key !== null,
    gcTime: 0,
    queryFn: () => webhooksOf(key?.id ?? ''),
  })
}

/** The enabled ones. */
export async function webhooksOf(key_id: string): Promise<Made[]> {
  const [listed, health] = await Promise.all([v1('webhooks.list'), api.webhookHealth()])
  const made = new Set(health.filter(({ made_by }) => made_by?.id === key_id).map(({ id }) => id))
  return listed.data.filter(({ id, enabled }) => enabled && made.has(id))
}

/** May be repeated: one that is gone meanwhile needs nothing. */
export async function meetFate(made: readonly Made[], fate: Fate): Promise<void> {
  for (const { id } of made) {
    const params = { id }
    try {
      if (fate === 'stop') await v1('webhooks.update', { params, body: { enabled: false } })
      if (fate === 'remove') await v1('webhooks.delete', { params })
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    }
  }
}

interface WebhooksOfKeyProps {
  read: ReturnType<typeof useWebhooksOf>
  fate: Fate
  onChoose: (fate: Fate) => void
}

export function WebhooksOfKey({ read: { data, error }, fate, onChoose }: WebhooksOfKeyProps) {
  const words = useWords().revoke.webhooks
  if (error) return <Failure error={error} />
  if (data === undefined || data.length === 0) return null
  return (
    <Alert color="orange" variant="outline" c="var(--console-warning)">
      <Stack gap="sm">
        <Text>{words.goOn(data.length)}</Text>
        {data.map(({ id, url }) => (
          <Code key={id} dir="ltr" className="broken-anywhere">
            {url}
          </Code>
        ))}
        <NativeSelect
          label={words.fate}
          value={fate}
          onChange={({ currentTarget }) => onChoose(currentTarget.value as Fate)}
          data={fates.map((value) => ({ value, label: words[value] }))}
        />
      </Stack>
    </Alert>
  )
}
