// A primary process with one worker, a gateway, which lives until it is killed. It loads no gateway of its own.
import cluster from 'node:cluster'
import { join } from 'node:path'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import pino from 'pino'
import { Workers } from '../src/workers/workers.ts'

cluster.setupPrimary({ exec: join(import.meta.dirname, '../bin/clinicd.mjs'), args: ['serve', '--role', 'gateway'] })
const workers = new Workers({
  ...{ count: 1, port: 0, storage: null, help: null },
  rateLimit: new MemoryRateLimit(),
  secretKeys: parseSecretKeys(process.env.SECRET_KEYS ?? ''),
  log: pino({ level: 'silent' }),
})
const address = await workers.start()
process.send?.(address)
