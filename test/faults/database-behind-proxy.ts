// A service that reaches its database through a proxy that a scenario breaks.
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { ownDatabase, splitRoles } from './processes.ts'
import type { Stage } from './scenario.ts'

export async function databaseBehindProxy(stage: Stage) {
  const { ownerUrl } = await ownDatabase(stage)
  const proxy = await startTcpProxy(ownerUrl)
  stage.defer(() => proxy.close())
  const { address } = await splitRoles(stage, { databaseUrl: proxy.url })
  return { proxy, address, ownerUrl }
}
