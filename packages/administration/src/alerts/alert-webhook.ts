// Posts alerts to the operator's address, signed as deliveries to webhooks are. Counts, networks and names of keys: nothing of a patient.
import { deliveryHeaders } from '@clinic-data/contract/webhook-signature'
import { TargetClient } from '@clinic-data/webhooks'
import { type AlertBundle, MOST_NAMED, reasonInWords } from './alert-text.ts'

export interface AlertTarget {
  readonly url: string
  /** In the form of a webhook's secret. */
  readonly secret: string
}

export interface AlertWebhook {
  /** Null: the receiver has it. Otherwise why not. */
  post(bundle: AlertBundle, now: Date): Promise<string | null>
  close(): Promise<void>
}

const TYPE = 'audit.alerts'
/** The address is the operator's own, as that of the mail server is: it may lie in its network. */
const ANYWHERE = ['0.0.0.0/0', '::/0']

export function alertWebhook(
  { url, secret }: AlertTarget,
  client = new TargetClient({ allowCidrs: ANYWHERE }),
): AlertWebhook {
  return {
    post: async (bundle, now) => {
      const { id, body } = messageOf(bundle)
      const headers = {
        'content-type': 'application/json',
        ...deliveryHeaders({ secret, body, event_id: id, event_type: TYPE, now }),
      }
      const { error, response_status } = await client.post({ url, headers, body })
      return error ?? (response_status !== null && response_status < 300 ? null : `status_${response_status}`)
    },
    close: () => client.close(),
  }
}

/** A message that comes again has the same id. One of an alert that was told before, and has got worse or was stopped since, has another. */
function messageOf({ clinic, alerts, isLast }: AlertBundle): { id: string; body: string } {
  const [first] = alerts
  const id = first === undefined ? '' : `${first.id}.${Date.parse(first.stopped_at ?? first.noticed_at)}`
  const data = alerts.slice(0, MOST_NAMED).map((alert) => ({
    id: alert.id,
    rule: alert.rule,
    key_id: alert.key_id,
    day: alert.day,
    noticed_at: alert.noticed_at,
    facts: alert.facts,
    stopped_at: alert.stopped_at,
    reason: reasonInWords(alert),
  }))
  const more = alerts.length - data.length
  return {
    id,
    body: JSON.stringify({ id, type: TYPE, clinic_id: clinic.clinic_id, alerts: data, more, is_last_today: isLast }),
  }
}
