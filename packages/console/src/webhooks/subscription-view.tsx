// One subscription: how it does, what can be done with it, its deliveries.

import type { WebhookHealth } from '@clinic-data/console-parts/api'
import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { actorText } from '@clinic-data/console-parts/shown/actor-name'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { DotsIcon } from '@clinic-data/console-parts/shown/icons'
import { RowMenu } from '@clinic-data/console-parts/shown/row-menu'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Menu, Skeleton, Stack } from '@mantine/core'
import { Belonging } from '../belonging/integration-name.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { goTo, PlaceLink } from '../places.tsx'
import { useMay } from '../roles.ts'
import { ChangeDialog, changeDraft } from './change-dialog.tsx'
import { EventChips } from './event-chips.tsx'
import { HealthChart } from './health-chart.tsx'
import { ResendDialog, resendDraft } from './resend-dialog.tsx'
import { RemoveDialog, RotateDialog, StartDialog, StopDialog, TestDialog } from './small-dialogs.tsx'
import { StateBadge, StateText } from './state.tsx'
import type { Subscription } from './subscriptions.ts'

type Doing = 'test' | 'change' | 'rotate' | 'resend' | 'stop' | 'start' | 'remove'

export function SubscriptionView({ webhook, health }: { webhook: Subscription; health: WebhookHealth | undefined }) {
  const allWords = useWords()
  const { webhooks: words } = allWords
  const times = useTimes()
  const wasChanging = useHasDraft(changeDraft(webhook))
  const wasResending = useHasDraft(resendDraft(webhook))
  const dialog = useOpened<Doing>(wasChanging ? 'change' : wasResending ? 'resend' : null)
  const of = (what: Doing) => ({
    webhook,
    isOpen: dialog.opened === what,
    onClose: dialog.closing(what),
  })
  const { url, description, event_types, created_at, secret } = webhook
  const maker = health?.made_by
  return (
    <>
      <PlaceLink to="webhooks" className="back">
        {words.back}
      </PlaceLink>
      <Heading
        title={url}
        text={
          <>
            {description !== null && (
              <>
                <bdi>{description}</bdi> ·{' '}
              </>
            )}
            {event_types.length === 0 ? words.everyType : words.someTypes(event_types.length)} ·{' '}
            {words.made(times.day(created_at))} {maker?.name && <bdi>{words.by(actorText(maker, allWords))}</bdi>} ·{' '}
            {words.secret} <bdi dir="ltr">{secret}</bdi>
          </>
        }
        action={<Actions isEnabled={webhook.enabled} mayStart={health?.is_paused === true} onChoose={dialog.open} />}
      />
      <Card withBorder padding="lg">
        <Stack gap="lg">
          <Group gap="sm" align="flex-start">
            <StateBadge webhook={webhook} health={health} />
            <StateText webhook={webhook} health={health} />
          </Group>
          <Belonging to={health?.integration ?? null} />
          {health === undefined ? <Skeleton height={120} /> : <HealthChart health={health} isLarge />}
          {event_types.length > 0 && <EventChips types={event_types} />}
        </Stack>
      </Card>
      <Deliveries id={webhook.id} />
      <TestDialog {...of('test')} />
      <ChangeDialog {...of('change')} />
      <RotateDialog {...of('rotate')} />
      <ResendDialog {...of('resend')} />
      <StopDialog {...of('stop')} />
      <StartDialog {...of('start')} />
      <RemoveDialog {...of('remove')} onRemoved={() => goTo('webhooks')} />
    </>
  )
}

interface ActionsProps {
  isEnabled: boolean
  mayStart: boolean
  onChoose: (doing: Doing) => void
}

/** A disabled subscription can only be deleted, a stopped one also given another secret and started again. */
function Actions({ isEnabled, mayStart, onChoose }: ActionsProps) {
  const { webhooks: words } = useWords()
  const may = useMay()
  const mayChange = may('webhooks.update')
  const mayRemove = may('webhooks.delete')
  if (!isEnabled && !mayStart && !mayRemove) return null
  return (
    <Group gap="sm">
      {isEnabled && <Button onClick={() => onChoose('test')}>{words.test}</Button>}
      {!isEnabled && mayStart && mayChange && <Button onClick={() => onChoose('start')}>{words.start}</Button>}
      <RowMenu
        button={
          <Button variant="default" leftSection={<DotsIcon size={16} />}>
            {words.actions}
          </Button>
        }
      >
        {isEnabled && <Menu.Item onClick={() => onChoose('resend')}>{words.resend}</Menu.Item>}
        {isEnabled && mayChange && <Menu.Item onClick={() => onChoose('change')}>{words.change}</Menu.Item>}
        {(isEnabled || mayStart) && <Menu.Item onClick={() => onChoose('rotate')}>{words.rotate}</Menu.Item>}
        {isEnabled && mayChange && <Menu.Item onClick={() => onChoose('stop')}>{words.stop}</Menu.Item>}
        {mayRemove && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onChoose('remove')}>
            {words.remove}
          </Menu.Item>
        )}
      </RowMenu>
    </Group>
  )
}
