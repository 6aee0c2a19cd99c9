// The proxy is as true as TCP: it may be late or silent, and never brings anything in another order.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'

test('what the server sent while it was slow comes before what it sends when it is quick again', async (t) => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const proxy = await startTcpProxy(`tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`)
  const client = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  t.after(async () => {
    client.destroy()
    await proxy.close()
    echo.close()
  })
  const sent = ['slow ', 'slower ', 'quick']
  for (const [at, delayMs] of [100, 200, 0].entries()) {
    proxy.slow(delayMs)
    client.write(sent[at] ?? '')
    // The answer is in the proxy.
    while (proxy.answered() < sent.slice(0, at + 1).join('').length) await new Promise(setImmediate)
  }
  let got = ''
  for await (const bytes of client) {
    got += bytes
    if (got.length === sent.join('').length) break
  }
  assert.equal(got, sent.join(''))
})
