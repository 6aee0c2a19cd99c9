// The engine for `webhooks.ts` and `webhook-simulation.ts`, in a separate process.
//
//   node bench/webhook-sender.ts <url as the application's role> <url as the owner> <SECRET_KEYS>

import { inspect } from 'node:util'
import { recordDeliveries } from '@clinic-data/audit/delivery-rows'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase } from '@clinic-data/database'
import { TargetClient, WebhookEngine } from '@clinic-data/webhooks'
import { WakeUp } from '@clinic-data/webhooks/wake-up'

const [appUrl = '', ownerUrl = '', secretKeys = ''] = process.argv.slice(2)
const database = await openDatabase({ url: appUrl, ownerUrl })
const keys = signingKeys(parseSecretKeys(secretKeys), 'webhook-secret')
const client = new TargetClient({ allowCidrs: ['127.0.0.0/8'] })
const print = (detail: object, line: string) =>
  process.stderr.write(`${line}: ${inspect(detail, { breakLength: Number.POSITIVE_INFINITY })}\n`)
const log = { warn: print, error: print }

const engine = new WebhookEngine({ database, keys, client, record: recordDeliveries(database), log })
engine.start()
new WakeUp(database).hear(engine)
process.send?.({ ready: true })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1000 }, () => process.exit())
})
process.on('disconnect', () => process.exit())
