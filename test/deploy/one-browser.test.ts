// The proxies of `deploy/` lead a browser to one of several services as long as it lives, and calls of the API to all of them: while two
// versions serve, the console's page of one has other files than that of the other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { until } from '@clinic-data/testing/until'
import { API, CONSOLE, FrontProxy, frontNames, hasFront } from './front-proxy.ts'

const LOADS = 20

/** It answers everything with its name. */
async function named(name: string): Promise<{ server: Server; address: string; adminAddress: string }> {
  const server = createServer((_request, response) => response.end(name)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server, address, adminAddress: address }
}

function end(server: Server): void {
  server.close()
  server.closeAllConnections()
}

for (const name of frontNames) {
  const skip = hasFront(name) ? false : `no ${name} on this machine`
  test(`${name} leads a browser to one service, and to the other when that one is gone`, { skip }, async (t) => {
    const services = await Promise.all(['one', 'other'].map(named))
    t.after(() => services.map(({ server }) => end(server)))
    const front = await FrontProxy.start(name, ...services)
    t.after(() => front.stop())
    const answering = async (host: string, path: string) => {
      const answers = Array.from({ length: LOADS }, () => front.ask(path, { host }))
      return [...new Set((await Promise.all(answers)).map(({ text }) => text))].sort()
    }

    assert.deepEqual(await answering(API, '/docs'), ['one', 'other'])
    const [chosen, ...others] = await answering(CONSOLE, '/console/')
    assert.deepEqual(others, [])
    const staying = chosen === 'one' ? 'other' : 'one'
    const [gone] = services.splice(chosen === 'one' ? 0 : 1, 1)
    if (gone !== undefined) end(gone.server)
    await until(
      async () => (await front.ask('/console/', { host: CONSOLE })).text === staying,
      () => 'the other service is not asked',
    )
    assert.deepEqual(await answering(CONSOLE, '/console/'), [staying])
  })
}
