// The end of a listener behind a proxy: a proxy repeats a request that was refused a connection, and none that was lost with one.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { ask, emptyClinic, keyOf, startParts } from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'

// Longer than any test: the end comes with the last answers, however slow the machine.
const service = await startParts({ lastAnswersMs: 3_600_000 })
after(() => service.close())
const { app } = service.gateway
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const authorization = `Bearer ${await keyOf(service.owner, await emptyClinic(service.owner), [])}`

/** Each has one connection, and keeps it. */
const proxies = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
after(() => proxies.map((proxy) => proxy.destroy()))

interface Answered {
  status: number | undefined
  isLast: boolean
  wasKept: boolean
}

const askAll = () =>
  Promise.all(
    proxies.map(async (agent): Promise<Answered> => {
      const sent = get({ agent, port, path: '/v1/me', headers: { authorization } })
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      const isLast = answer.headers.connection === 'close'
      return { status: answer.statusCode, isLast, wasKept: sent.reusedSocket }
    }),
  )

test('a gateway that drains is not ready but keeps its connections, and then answers once more on each and refuses new ones', async () => {
  await askAll()
  service.gateway.drain()
  assert.equal((await ask(service, null, '/readyz')).status, 503)
  const kept = { status: 200, isLast: false, wasKept: true }
  assert.deepEqual(await askAll(), [kept, kept])

  const stopped = service.gateway.close()
  await until(
    async () => !app.server.listening,
    () => 'it goes on listening',
  )
  await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
  const last = { ...kept, isLast: true }
  assert.deepEqual(await askAll(), [last, last])
  await stopped
})

test('a gateway closes after the last audit rows are stored, also of a request whose client has left', async () => {
  const steps: string[] = []
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = await startParts({
    wrap: (backend) => ({
      ...backend,
      audit: async (rows) => {
        asked.resolve()
        await held.promise
        await backend.audit(rows)
        steps.push('stored')
      },
    }),
  })
  after(() => slow.close())
  const client = get(`${await slow.address()}/v1/me`, { headers: { authorization } })
  client.on('error', () => undefined)
  await asked.promise
  client.destroy()
  const closed = slow.gateway.close().then(() => steps.push('closed'))
  await once(slow.gateway.app.server, 'close')
  held.resolve()
  await closed
  assert.deepEqual(steps, ['stored', 'closed'])
})
