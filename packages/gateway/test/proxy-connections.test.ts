// Idle connections: those of a trusted proxy outlive its own limit, and all others end as soon as before.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as idle } from 'node:timers/promises'
import { sized } from '@clinic-data/testing/run/size'
import { ClientAddress } from '../src/connections/client-address.ts'
import { limitedServer } from '../src/connections/limited-server.ts'

const SHORT_MS = 10_000
const OK = /^HTTP\/1\.1 200 /
/** It waits in real time: Node.js ends idle connections by a clock of its own. */
const onlyLong = sized({ everyday: { skip: 'in the long run' }, long: {} })

async function listening(t: TestContext, trusted: string[], proxyIdleMs: number) {
  const sockets: Socket[] = []
  const server: Server = limitedServer((_request, response) => response.end('ok'), {
    clientAddress: new ClientAddress(trusted),
    proxyIdleMs,
  })
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}

/** Sends a request. @returns the answer's header that says how long the connection stays. */
function send(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, agent, host: '127.0.0.1' }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.headers['keep-alive'])))
    })
    sent.once('error', reject).end()
  })
}

function agentOf(t: TestContext): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  return agent
}

test('a connection of a trusted proxy is kept longer between requests, and any other is not', async (t) => {
  for (const [trusted, kept, said] of [
    [['127.0.0.0/8'], 620_000, 'timeout=620'],
    [['192.0.2.0/24'], SHORT_MS, 'timeout=10'],
  ] as const) {
    const { port, sockets } = await listening(t, [...trusted], 620_000)
    const agent = agentOf(t)
    for (let request = 0; request < 3; request++) assert.equal(await send(port, agent), said)
    const [socket, ...others] = sockets
    assert.equal(others.length, 0)
    // Node.js adds a second for requests on their way.
    assert.ok([kept, kept + 1_000].includes(socket?.timeout ?? 0), `${socket?.timeout} ms`)
  }
})

test(
  'a pool that keeps connections a little shorter than the service loses no request, however long it was idle',
  onlyLong,
  async (t) => {
    const [poolSeconds, serviceSeconds] = [15, 16]
    const { port } = await listening(t, ['127.0.0.1'], serviceSeconds * 1000)
    const answered = Array.from({ length: serviceSeconds + 4 }, async (_, seconds) => {
      const connection = connect(port, '127.0.0.1')
      assert.match(await asked(connection), OK)
      await idle(seconds * 1000)
      // A pool ends what was idle for longer than it keeps connections, and opens another one.
      const isKept = seconds < poolSeconds
      if (!isKept) connection.destroy()
      const next = isKept ? connection : connect(port, '127.0.0.1')
      assert.match(await asked(next), OK, `after ${seconds} s`)
      next.destroy()
    })
    await Promise.all(answered)
  },
)

/** Asks on a connection as a balancer does: unlike Node.js's agent it does not read how long the service keeps it. */
async function asked(connection: Socket): Promise<string> {
  if (connection.destroyed) return 'the service ended it'
  connection.write('GET / HTTP/1.1\r\nHost: service.test\r\n\r\n')
  const [answer] = await Promise.race([once(connection, 'data'), once(connection, 'close')])
  return String(answer)
}
