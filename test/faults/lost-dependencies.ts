// Every day: a service whose database, Redis and clock are lost one after the other, and which is killed in the end.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { migrations } from '@clinic-data/backend/migrations'
import { sql } from '@clinic-data/database'
import { redisServer } from '@clinic-data/testing/programs/redis-server'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { createDatabase } from '@clinic-data/testing/run/templates'
import { LOCAL_RECEIVERS, openOwner, Restarted } from './processes.ts'
import type { Scenario, Stage } from './scenario.ts'
import { clockOf, hasClocks } from './scenarios/clock-jump.ts'

/** Clients must have seen so much of a fault before it ends. */
const ENTRIES = 12
const LOOK_AGAIN_MS = 5

export const lostDependencies: Pick<Scenario, 'name' | 'open'> = {
  name: 'lost-dependencies',
  async open(stage) {
    const ownerUrl = await databaseOfTheRun(stage)
    const proxy = await startTcpProxy(ownerUrl)
    stage.defer(() => proxy.close())
    const redis = await redisServer()
    stage.defer(() => redis?.kill())
    const clock = hasClocks() ? await clockOf(stage) : null
    const service = new Restarted(stage, [], {
      DATA_DIR: stage.folder,
      SECRET_KEYS: stage.secretKeys,
      DATABASE_URL: proxy.url,
      ...(redis !== null && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
      ...LOCAL_RECEIVERS,
      ...clock?.more,
    })
    await service.running
    const faults = [
      async () => {
        proxy.cut()
        await seen(stage)
        proxy.restore()
      },
      async () => {
        await redis?.kill()
        await seen(stage)
        await redis?.start()
      },
      async () => {
        await clock?.jumpBy(stage.random.pick(['+3600', '-3600']))
        await seen(stage)
        await clock?.jumpBy('+0')
      },
      () => service.restart(),
    ]
    return { address: () => service.address(), ownerUrl, fault: async (round) => faults[round]?.() }
  },
}

/** A database of its own on the server of the test run. */
async function databaseOfTheRun(stage: Stage): Promise<string> {
  const address = process.env.TEST_DATABASE_URL ?? ''
  const name = `faults_${randomBytes(6).toString('hex')}`
  const server = await openOwner(address)
  stage.defer(() => server.close())
  await createDatabase(server, name, migrations)
  stage.defer(() => server.query(sql`drop database ${sql.identifier(name)} with (force)`))
  return Object.assign(new URL(address), { pathname: `/${name}` }).href
}

async function seen({ history }: Stage): Promise<void> {
  const enough = history.length + ENTRIES
  while (history.length < enough) await delay(LOOK_AGAIN_MS)
}
