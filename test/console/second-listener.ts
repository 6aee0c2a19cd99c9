// A second private listener for the console's clinic, in the test's own process, with settings that the service for all files has not.
import { randomBytes } from 'node:crypto'
import type { DemoPart } from '@clinic-data/administration/routes/console-routes'
import { type BackendOptions, createBackend } from '@clinic-data/backend'
import { consoleConnect } from '@clinic-data/connect/console-connect'
import { openApps } from '@clinic-data/connect/open-apps'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import type { Config } from '@clinic-data/installation/config'
import { adminListener } from '@clinic-data/server/private/admin-listener'
import { openConsole } from '@clinic-data/server/private/console'
import { consolePage } from '@clinic-data/server/private/console-page'
import pino from 'pino'
import type { ConsoleSite } from './site.ts'

const silent = pino({ level: 'silent' })

interface Settings {
  readonly openId?: Config['openId']
  readonly demo?: DemoPart
  /** Apps can be connected. */
  readonly connects?: boolean
}

export async function secondListener(
  { owner, baseUrl }: ConsoleSite,
  { openId = null, demo, connects = false }: Settings,
) {
  const log = silent
  const secretKeys = parseSecretKeys(`t:${randomBytes(32).toString('base64')}`)
  const backendWith = (further: Pick<BackendOptions, 'validOf'>) =>
    createBackend({ database: owner, now: () => new Date(), log, secretKeys, ...further })
  const rate = { requests: 300, seconds: 60 }
  const config = {
    baseUrl,
    rate,
    openId,
    mail: null,
    trustedProxies: [],
    webhookAllowCidrs: [],
    consoleUrl: null,
    adminHost: '127.0.0.1',
    adminNames: [],
  }
  const app = adminListener({ maxConnections: 100, trustedProxies: [], baseUrl, log })
  const routes = await openConsole(app, {
    config,
    log,
    database: owner,
    backendWith,
    secretKeys,
    ...(demo && { demo }),
    ...(connects && { connect: connectFor(owner, baseUrl) }),
  })
  await app.register(consolePage({ baseUrl }))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    address,
    async [Symbol.asyncDispose]() {
      await app.close()
      await routes.close()
    },
  }
}

function connectFor(database: ConsoleSite['owner'], baseUrl: string) {
  const { apps } = openApps({ database, policy: 'registered', baseUrl, now: () => new Date(), log: silent })
  return consoleConnect({ apps, baseUrl, database })
}
