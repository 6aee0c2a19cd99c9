// Opens the webhooks of a process: the engine in a process that sends deliveries, else notices to the processes that do.
import { setTimeout as delay } from 'node:timers/promises'
import { recordDeliveries } from '@clinic-data/audit/delivery-rows'
import type { BackendOptions } from '@clinic-data/backend'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'
import { TargetClient, WebhookEngine } from '@clinic-data/webhooks'
import { START_WINDOW_MS } from '@clinic-data/webhooks/engine/engine-limits'
import { releaseAllLeases } from '@clinic-data/webhooks/engine/release-leases'
import { ExampleReceiver } from '@clinic-data/webhooks/receiver/example-receiver'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import type { Start } from './start.ts'

export type WebhookHooks = Required<Pick<BackendOptions, 'checkTarget' | 'onDeliveriesDue' | 'onSubscriptionEnded'>>

export async function openWebhooks(start: Start, database: Database): Promise<WebhookHooks> {
  const { config, role, secretKeys, log, opened, stopDeadline } = start
  const guarded = new TargetClient({ allowCidrs: config.webhookAllowCidrs })
  const client = start.isDemo ? new ExampleReceiver(guarded) : guarded
  const checkTarget = (url: string) => client.check(url)
  const wakeUp = new WakeUp(database)
  if (role === 'backend') {
    opened.defer(() => client.close())
    return {
      checkTarget,
      onDeliveriesDue: (clinic_id) => wakeUp.tell(clinic_id),
      onSubscriptionEnded: (clinic_id, subscription_id) => endElsewhere(wakeUp, clinic_id, subscription_id),
    }
  }
  const isAlone = role === 'all' && config.databaseUrl === null
  if (isAlone) await releaseAllLeases(database)
  const engine = new WebhookEngine({
    database,
    keys: signingKeys(secretKeys, 'webhook-secret'),
    client,
    record: recordDeliveries(database),
    log,
    deadline: stopDeadline,
  })
  engine.start()
  opened.defer(() => engine.stop())
  if (!isAlone) wakeUp.hear(engine)
  return {
    checkTarget,
    onDeliveriesDue: (clinic_id) => engine.wake(clinic_id),
    onSubscriptionEnded: async (clinic_id, subscription_id) => {
      engine.end(clinic_id, subscription_id)
      if (!isAlone) await endElsewhere(wakeUp, clinic_id, subscription_id)
    },
  }
}

/** Waits until a dispatcher that claimed just before the commit has started its attempts, or never will. */
async function endElsewhere(wakeUp: WakeUp, clinic_id: string, subscription_id: string): Promise<void> {
  await wakeUp.tellEnded(clinic_id, subscription_id)
  await delay(START_WINDOW_MS)
}
