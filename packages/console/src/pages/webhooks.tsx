// The clinic's webhooks: all of them, or the one that the address names.
import '../webhooks/webhooks.css'
import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { RecordEvents, RecordField } from '../deliveries/record-events.tsx'
import { PlaceLink, useSearch } from '../places.tsx'
import { useMay } from '../roles.ts'
import { CreateDialog, NEW_WEBHOOK } from '../webhooks/create-dialog.tsx'
import { SubscriptionList } from '../webhooks/subscription-list.tsx'
import { SubscriptionView } from '../webhooks/subscription-view.tsx'
import { useSubscriptions } from '../webhooks/subscriptions.ts'

export function WebhooksPage() {
  const [{ webhook: chosen, record }] = useSearch()
  const maySearch = useMay()('recordEvents')
  const { listed, health } = useSubscriptions()
  if (listed.data === undefined) {
    return (
      <>
        <Begin />
        {!listed.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
        <Failure error={listed.error} onRetry={() => listed.refetch()} />
      </>
    )
  }
  if (chosen === undefined && record !== undefined && maySearch) {
    return <RecordEvents key={record} record={record} webhooks={listed.data} />
  }
  if (chosen === undefined) {
    return (
      <>
        <Begin />
        {maySearch && listed.data.length > 0 && <RecordField record="" />}
        <SubscriptionList webhooks={listed.data} health={health} />
      </>
    )
  }
  const webhook = listed.data.find(({ id }) => id === chosen)
  return webhook === undefined ? (
    <Gone />
  ) : (
    <SubscriptionView key={chosen} webhook={webhook} health={health.get(chosen)} />
  )
}

function Begin() {
  const { webhooks } = useWords()
  const mayMake = useMay()('webhooks.create')
  const [isMaking, setMaking] = useState(useHasDraft(NEW_WEBHOOK))
  return (
    <>
      <Heading
        title={webhooks.title}
        text={webhooks.text}
        action={
          mayMake && (
            <Button leftSection={<PlusIcon size={16} />} onClick={() => setMaking(true)}>
              {webhooks.add}
            </Button>
          )
        }
      />
      <CreateDialog isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  )
}

function Gone() {
  const { webhooks } = useWords()
  return (
    <>
      <Heading title={webhooks.title} />
      <Refused text={webhooks.gone} />
      <PlaceLink to="webhooks">{webhooks.back}</PlaceLink>
    </>
  )
}
