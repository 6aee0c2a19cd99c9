// One delivery: each attempt and how it ended, in words; the payload and its headers as they were sent; sending it again.

import { api, type SentDelivery } from '@clinic-data/console-parts/api'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { CopyButton } from '@clinic-data/console-parts/shown/copy'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { queryOptions, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMay } from '../roles.ts'
import { failureWords } from './failure-words.ts'
import { StatusBadge } from './status-badge.tsx'
import { DELIVERIES, type Delivery } from './use-deliveries.ts'
import { Verify } from './verify.tsx'

interface DeliveryDialogProps {
  webhookId: string
  deliveryId: string | undefined
  /** As the page watches it: its attempts grow while it is open. */
  now: Delivery | null
  onClose: () => void
}

export function DeliveryDialog({ webhookId, deliveryId, now, onClose }: DeliveryDialogProps) {
  const { delivery } = useWords().webhooks
  const mayRead = useMay()('sentDelivery')
  return (
    <Dialog title={delivery.title} isOpen={deliveryId !== undefined} onClose={onClose} size="xl">
      {deliveryId !== undefined &&
        (mayRead ? (
          <Opened key={deliveryId} webhookId={webhookId} deliveryId={deliveryId} now={now} />
        ) : (
          <WithoutPayload key={deliveryId} webhookId={webhookId} deliveryId={deliveryId} now={now} />
        ))}
    </Dialog>
  )
}

interface OpenedProps {
  webhookId: string
  deliveryId: string
  now: Delivery | null
}

/** The payload is read once, when it is opened: each reading stands in the audit log. */
function Opened({ webhookId, deliveryId, now }: OpenedProps) {
  const { delivery } = useWords().webhooks
  const reading = queryOptions({
    queryKey: [...DELIVERIES, webhookId, 'sent', deliveryId],
    queryFn: () => api.sentDelivery(webhookId, deliveryId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  // Asked for at once: the answer comes while the dialog opens.
  usePrefetchQuery(reading)
  const sent = useQuery(reading)
  if (hasStatus(sent.error, 404)) return <Refused text={delivery.gone} />
  if (sent.error) return <Failure error={sent.error} onRetry={() => sent.refetch()} />
  if (sent.data === undefined) return <Skeleton height={320} radius="md" aria-hidden="true" />
  return (
    <Stack gap="xl">
      <Summary delivery={now ?? sent.data.delivery} />
      <Attempts delivery={now ?? sent.data.delivery} />
      <Payload sent={sent.data} />
    </Stack>
  )
}

/** For whom the payload is closed: it is a patient's data. One that the list does not hold is read by itself, whatever the list is filtered by. */
function WithoutPayload({ webhookId, deliveryId, now }: OpenedProps) {
  const { delivery: words } = useWords().webhooks
  const read = useQuery({
    queryKey: [...DELIVERIES, webhookId, 'one', deliveryId],
    queryFn: async () => (await api.listDeliveries(webhookId, { limit: 1, delivery_id: deliveryId }, false)).shown,
    enabled: now === null,
    gcTime: 0,
  })
  const delivery = now ?? read.data
  if (delivery === null || hasStatus(read.error, 404)) return <Refused text={words.gone} />
  if (delivery === undefined && read.error) return <Failure error={read.error} onRetry={() => read.refetch()} />
  if (delivery === undefined) return <Skeleton height={320} radius="md" aria-hidden="true" />
  return (
    <Stack gap="xl">
      <Summary delivery={delivery} />
      <Attempts delivery={delivery} />
      <Text size="sm" c="dimmed">
        {words.closed}
      </Text>
    </Stack>
  )
}

function Summary({ delivery }: { delivery: Delivery }) {
  const words = useWords().webhooks
  const times = useTimes()
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <div>
        <Group gap="xs">
          <StatusBadge delivery={delivery} />
          <Text fw={600}>{words.types[delivery.event_type]}</Text>
        </Group>
        {delivery.is_test && <Text mt={6}>{words.delivery.test}</Text>}
        <Text size="sm" c="dimmed" mt={6}>
          {words.delivery.happened} {times.exact(delivery.created_at)}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace" className="broken-anywhere">
          <bdi dir="ltr">{delivery.event_id}</bdi>
        </Text>
      </div>
      <Again delivery={delivery} />
    </Group>
  )
}

function Again({ delivery: { id: delivery_id, webhook_id: id, status } }: { delivery: Delivery }) {
  const { delivery: words } = useWords().webhooks
  const client = useQueryClient()
  const sending = useActing({
    act: () => v1('webhooks.deliveries.retry', { params: { id, delivery_id } }),
    after: () => client.invalidateQueries({ queryKey: [...DELIVERIES, id, 'watch'] }),
  })
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        variant={status === 'delivered' ? 'default' : 'filled'}
        loading={sending.isPending}
        onClick={() => sending.act()}
      >
        {status === 'delivered' ? words.again : words.retry}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {sending.isSuccess && status === 'pending' && words.sending}
      </Text>
      {hasStatus(sending.error, 409) ? <Refused text={words.refused} /> : <Failure error={sending.error} />}
    </Stack>
  )
}

function Attempts({ delivery }: { delivery: Delivery }) {
  const words = useWords().webhooks
  const times = useTimes()
  const { attempts, error, status } = delivery
  const isEnded = status === 'failed' && (error === 'circuit_open' || error === 'subscription_disabled')
  return (
    <section>
      <Title order={3} size="h5">
        {words.delivery.attempts}
      </Title>
      {isEnded && <Why failed={delivery} />}
      {attempts.length === 0 && <Text c="dimmed">{words.delivery.none}</Text>}
      <ol className="attempts" reversed>
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number} value={attempt.number} className="attempt">
            <Group gap="xs">
              <time dateTime={attempt.attempted_at}>{times.exact(attempt.attempted_at)}</time>
              <Text size="sm" c="dimmed">
                {words.delivery.duration(attempt.duration_ms)} ·{' '}
                {attempt.trigger === 'manual' ? words.delivery.manual : words.delivery.automatic}
              </Text>
              {attempt.response_status !== null && (
                <Badge variant="default" tt="none" fw={500}>
                  {attempt.response_status}
                </Badge>
              )}
            </Group>
            {attempt.error === null ? (
              <Text className="arrived">{words.delivery.arrived}</Text>
            ) : (
              <Why failed={attempt} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Why({ failed }: { failed: { error: string | null; response_status: number | null } }) {
  const { failures } = useWords().webhooks
  const [happened, mend] = failureWords(failures, failed)
  return (
    <Text>
      <strong className="broken">{happened}.</strong> {mend}
    </Text>
  )
}

/** A larger one is shown as it is: setting it out would stop the page. */
const MOST_FORMATTED = 300_000

function formatted(body: string): string {
  return body.length > MOST_FORMATTED ? body : JSON.stringify(JSON.parse(body), null, 2)
}

function Payload({ sent: { body, headers, delivery } }: { sent: SentDelivery }) {
  const { delivery: words } = useWords().webhooks
  return (
    <Stack gap="md">
      <section>
        <Group justify="space-between" gap="sm" mb={6}>
          <Title order={3} size="h5">
            {words.body}
          </Title>
          <CopyButton text={body} name={words.copyBody} />
        </Group>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard */}
        <section className="payload" dir="ltr" tabIndex={0} aria-label={words.body}>
          <pre>{formatted(body)}</pre>
        </section>
        <Text size="xs" c="dimmed">
          {words.formatted}
        </Text>
      </section>
      {headers !== null && (
        <details className="folded">
          <summary>{words.headers}</summary>
          <Text size="sm" c="dimmed" my={6}>
            {words.headersOf(delivery.attempts.length)}
          </Text>
          <dl className="headers" dir="ltr">
            {headers.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value ?? <bdi>({words.former})</bdi>}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <Verify />
    </Stack>
  )
}
