// A primary process with one worker, which lives until it is killed: a service on the database that is given. It loads no gateway,
// dispatcher or sender of its own. The end of a webhook, which a worker asks of the dispatcher, it asks of the test.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import pino from 'pino'
import type { BackendHelp } from '../src/workers/topics.ts'
import { Workers } from '../src/workers/workers.ts'

const { DATABASE_OWNER_URL: ownerUrl = '', DATABASE_URL: appUrl = null, SECRET_KEYS = '' } = process.env
const help: BackendHelp = {
  hooks: {
    checkTarget: async () => null,
    onDeliveriesDue: () => undefined,
    onSubscriptionEnded: async (...names) => {
      process.send?.(names)
      await once(process, 'message')
    },
  },
  onMessageQueued: () => undefined,
  answerApp: undefined,
}
cluster.setupPrimary({ exec: join(import.meta.dirname, '../bin/clinicd.mjs'), args: ['serve'] })
const workers = new Workers({
  count: 1,
  port: 0,
  storage: { ownerUrl, appUrl, replicaUrl: null },
  help,
  rateLimit: new MemoryRateLimit(),
  secretKeys: parseSecretKeys(SECRET_KEYS),
  log: pino({ level: 'silent' }),
})
const address = await workers.start()
process.send?.(address)
