// Idle connections: those of a trusted proxy outlive its own limit, and all others end as soon as before.
import assert from 'node:assert/strict'
import { Agent, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as idle } from 'node:timers/promises'
import { ClientAddress } from '../src/connections/client-address.ts'
import { limitedServer } from '../src/connections/limited-server.ts'

const SHORT_MS = 10_000

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

test('a pool that keeps connections a little shorter than the service loses no request, however long it was idle', async (t) => {
  const [poolMs, proxyIdleMs] = [1_000, 1_300]
  const { port } = await listening(t, ['127.0.0.1'], proxyIdleMs)
  const idles = Array.from({ length: 27 }, (_, at) => at * 50)
  const answered = idles.map(async (idleMs) => {
    const agent = agentOf(t)
    await send(port, agent)
    await idle(idleMs)
    // The pool ends what was idle for too long, and opens another one.
    if (idleMs >= poolMs) agent.destroy()
    return send(port, idleMs >= poolMs ? agentOf(t) : agent)
  })
  assert.equal((await Promise.all(answered)).length, idles.length)
})
