// The engine for `webhooks.ts`, in a separate process: ours, or one global queue like other engines.
//
//   node bench/webhook-sender.ts <lanes|global> <url as the application's role> <url as the owner> <SECRET_KEYS>

import { inspect } from 'node:util'
import { recordDeliveries } from '@clinic-data/audit/delivery-rows'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { deliveryHeaders } from '@clinic-data/contract/webhook-signature'
import { openDatabase } from '@clinic-data/database'
import { TargetClient, WebhookEngine } from '@clinic-data/webhooks'
import type { Claimed } from '@clinic-data/webhooks/engine/claim'
import { openSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import { GlobalQueue } from './global-queue.ts'

const [policy, appUrl = '', ownerUrl = '', secretKeys = ''] = process.argv.slice(2)
const database = await openDatabase({ url: appUrl, ownerUrl })
const keys = signingKeys(parseSecretKeys(secretKeys), 'webhook-secret')
const client = new TargetClient({ allowCidrs: ['127.0.0.0/8'] })
const print = (detail: object, line: string) =>
  process.stderr.write(`${line}: ${inspect(detail, { breakLength: Number.POSITIVE_INFINITY })}\n`)
const log = { warn: print, error: print }

if (policy === 'global') {
  const owner = await openDatabase({ url: ownerUrl })
  const queue = new GlobalQueue({ owner, database, send })
  queue.start()
  new WakeUp(database).hear({ wake: () => queue.wake(), end: () => undefined })
} else {
  const engine = new WebhookEngine({ database, keys, client, record: recordDeliveries(database), log })
  engine.start()
  new WakeUp(database).hear(engine)
}
process.send?.({ ready: true })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1000 }, () => process.exit())
})
process.on('disconnect', () => process.exit())

async function send(claimed: Claimed) {
  const { url, body, event_id, event_type } = claimed
  const secret = openSecret(keys, claimed, claimed.secret)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...deliveryHeaders({ secret, body, event_id, event_type, now: new Date() }),
  }
  const { retry_after: _, ...outcome } = await client.post({ url, headers, body })
  return { ...outcome, retry_after_seconds: null }
}
