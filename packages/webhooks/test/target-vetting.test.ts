// Where deliveries go: every connection is vetted, kept ones are vetted again, and a forbidden address is never reached.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import {
  answering,
  client,
  connectedSockets,
  LOOPBACK,
  OK,
  REQUEST,
  receive,
} from '@clinic-data/testing/receivers/target-receiver'
import { TargetAddresses } from '../src/receiver/target-address.ts'
import { TargetClient } from '../src/receiver/target-client.ts'
import { TargetConnector } from '../src/receiver/target-connector.ts'
import { readTarget } from '../src/receiver/target-url.ts'

const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']

/** Returns these one after the other, then always the last one. Counts the calls. */
function resolver(...answers: readonly (readonly string[])[]) {
  const names: string[] = []
  const resolveName = async (name: string) => {
    names.push(name)
    return answers[Math.min(names.length, answers.length) - 1] ?? []
  }
  return { names, resolveName }
}

describe('a URL', () => {
  const literals = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[fd00::1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
  ]

  test('of a forbidden address is refused, at its subscription and at each delivery', async (t) => {
    const strict = client(t, { allowCidrs: [] })
    for (const literal of literals) {
      const url = `https://${literal}/hook`
      assert.equal(await strict.check(url), 'blocked_address', url)
      assert.equal((await strict.post({ url, ...REQUEST })).error, 'blocked_address', url)
    }
  })

  test('in another spelling than its canonical one is refused', async (t) => {
    const strict = client(t, { allowCidrs: [] })
    const hosts = ['2130706433', '0x7f.1', '017700000001', '127.1', '127.0.0.1.', '[::ffff:127.0.0.1]', '１２７.0.0.1']
    for (const url of [
      ...hosts.map((host) => `https://${host}/`),
      'http://example.com/',
      'https://a@example.com/',
      '',
    ]) {
      assert.equal(await strict.check(url), 'invalid_url', url)
      assert.equal((await strict.post({ url, ...REQUEST })).error, 'blocked_address', url)
    }
  })

  test('is refused when any one of its addresses is forbidden', async (t) => {
    for (const bad of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:8.8.8.8', 'fe80::1']) {
      for (const addresses of [[...PUBLIC, bad], [bad, ...PUBLIC], [bad]]) {
        const mixed = client(t, { allowCidrs: [], resolveName: resolver(addresses).resolveName })
        assert.equal(await mixed.check('https://crm.example.com/'), 'blocked_address', String(addresses))
        const outcome = await mixed.post({ url: 'https://crm.example.com/', ...REQUEST })
        assert.equal(outcome.error, 'blocked_address', String(addresses))
      }
    }
  })

  test('of public addresses may be subscribed, and a check connects to nothing', async (t) => {
    const receiver = await receive(t, () => undefined)
    const checking = client(t, { resolveName: resolver(['127.0.0.1']).resolveName })
    assert.equal(await checking.check(receiver.url('/', 'crm.example.com', 'https')), null)
    assert.equal(receiver.connections.length, 0)
    const { names, resolveName } = resolver(PUBLIC)
    assert.equal(await client(t, { allowCidrs: [], resolveName }).check('https://CRM.example.com./'), null)
    assert.deepEqual(names, ['crm.example.com.'])
  })

  test("of this machine's own address is refused, even a public one", async (t) => {
    const own = client(t, { allowCidrs: [], ownAddresses: () => PUBLIC, resolveName: resolver(PUBLIC).resolveName })
    assert.equal(await own.check('https://crm.example.com/'), 'blocked_address')
    assert.equal(await own.check(`https://${PUBLIC[0]}/`), 'blocked_address')
  })

  test('whose name has no address, or whose name servers fail or never answer, is reported as `dns`', async (t) => {
    const failures = [
      async () => [],
      () => Promise.reject(new Error('ENOTFOUND')),
      () => new Promise<never>(() => undefined),
    ]
    for (const resolveName of failures) {
      const asking = client(t, { resolveName, bounds: { dnsTimeoutMs: 30 } })
      assert.equal(await asking.check('https://crm.example.com/'), 'dns')
      const outcome = await asking.post({ url: 'https://crm.example.com/', ...REQUEST })
      assert.equal(outcome.error, 'dns')
      assert.ok(outcome.duration_ms < 5_000)
    }
  })

  test('of plain http goes only to loopback, even if other addresses are open', async (t) => {
    const receiver = await receive(t, answering(OK))
    const allowCidrs = [...LOOPBACK, '10.0.0.0/8']
    const home = client(t, { allowCidrs, resolveName: resolver(['127.0.0.1']).resolveName })
    assert.equal((await home.post({ url: receiver.url('/', 'localhost'), ...REQUEST })).error, null)
    const elsewhere = client(t, { allowCidrs, resolveName: resolver(['127.0.0.1', '10.0.0.1']).resolveName })
    assert.equal(await elsewhere.check('http://localhost/'), 'blocked_address')
    assert.equal(await elsewhere.check('https://localhost/'), null)
    assert.equal(await client(t, { allowCidrs: [] }).check('http://localhost/'), 'invalid_url')
  })
})

describe('a name that points elsewhere a moment later', () => {
  test('is not followed from its check to its delivery', async (t) => {
    const receiver = await receive(t, answering(OK))
    const { names, resolveName } = resolver(PUBLIC, ['127.0.0.1'])
    const strict = client(t, { allowCidrs: [], resolveName })
    const url = receiver.url('/', 'rebinding.example.com', 'https')
    assert.equal(await strict.check(url), null)
    assert.equal((await strict.post({ url, ...REQUEST })).error, 'blocked_address')
    assert.equal(names.length, 2)
    assert.equal(receiver.connections.length, 0)
  })

  test('is resolved once per connection, and the judged address is the connected one', async (t) => {
    const receiver = await receive(t, answering(OK))
    const { names, resolveName } = resolver(['127.0.0.1'], ['10.0.0.1'])
    const outcome = await client(t, { resolveName }).post({ url: receiver.url('/', 'localhost'), ...REQUEST })
    assert.equal(outcome.error, null)
    assert.deepEqual(names, ['localhost'])
  })

  test('is not reached over a connection of another name or port', async (t) => {
    const [first, second] = [await receive(t, answering(OK)), await receive(t, answering(OK))]
    const sending = client(t)
    for (const url of [first.url(), second.url(), first.url()]) await sending.post({ url, ...REQUEST })
    assert.deepEqual([first.connections.length, second.connections.length], [1, 1])
  })

  test('ends before a byte is sent when the connection turns out to lead to a forbidden address', async (t) => {
    const receiver = await receive(t, () => undefined)
    const judged: string[] = []
    class Changing extends TargetAddresses {
      override isForbidden(address: string): boolean {
        judged.push(address)
        return judged.length > 1
      }
    }
    for (const scheme of ['http', 'https']) {
      judged.length = 0
      const connector = new TargetConnector({
        addresses: new Changing(),
        resolveName: resolver().resolveName,
        dnsTimeoutMs: 3_000,
        connectTimeoutMs: 5_000,
      })
      const target = readTarget(receiver.url('/', '127.0.0.1', scheme), { allowsLoopbackHttp: true })
      assert.ok(target)
      const connecting = connector.connect(target, new AbortController().signal)
      await assert.rejects(connecting, { fault: 'blocked_address' })
      assert.deepEqual(judged, ['127.0.0.1', '127.0.0.1'])
    }
    for (const number of [1, 2]) {
      const received = await receiver.connection(number)
      await received.closed()
      assert.equal(received.text, '')
    }
  })
})

describe('a connection', () => {
  test('is reused, and after 60 seconds opened and vetted again', async (t) => {
    const receiver = await receive(t, answering(OK))
    let now = 0
    const { names, resolveName } = resolver(['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1', '10.0.0.1'])
    const sending = client(t, { resolveName, now: () => now })
    const post = async () => (await sending.post({ url: receiver.url('/', 'localhost'), ...REQUEST })).error

    assert.equal(await post(), null)
    now = 59_999
    assert.equal(await post(), null)
    assert.deepEqual([names.length, receiver.connections.length], [1, 1])
    now = 60_000
    assert.equal(await post(), null)
    assert.deepEqual([names.length, receiver.connections.length], [2, 2])
    await receiver.connections[0]?.closed()
    now = 120_000
    assert.equal(await post(), 'blocked_address')
    assert.deepEqual([names.length, receiver.connections.length], [3, 2])
    await receiver.connections[1]?.closed()
  })

  test('is opened and vetted again when the receiver has closed it meanwhile', async (t) => {
    const receiver = await receive(t, answering(OK))
    const { names, resolveName } = resolver(['127.0.0.1'])
    const sending = client(t, { resolveName })
    const post = async () => (await sending.post({ url: receiver.url('/', 'localhost'), ...REQUEST })).error
    const sockets = connectedSockets(t)
    assert.equal(await post(), null)
    receiver.connections[0]?.socket.end()
    const [socket] = sockets
    assert.ok(socket)
    await once(socket, 'end')
    assert.equal(await post(), null)
    assert.deepEqual([names.length, receiver.connections.length], [2, 2])
  })

  test('is closed after some time unused', async (t) => {
    const receiver = await receive(t, answering(OK))
    const sending = client(t, { bounds: { idleTimeoutMs: 20 } })
    await sending.post({ url: receiver.url(), ...REQUEST })
    const answeredAt = performance.now()
    await receiver.connections[0]?.closed()
    assert.ok(performance.now() - answeredAt < 1_000)
    assert.equal((await sending.post({ url: receiver.url(), ...REQUEST })).error, null)
  })

  test('is not reused when the receiver says so', async (t) => {
    const receiver = await receive(t, answering('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'))
    const sending = client(t)
    for (let count = 0; count < 3; count++) {
      assert.equal((await sending.post({ url: receiver.url(), ...REQUEST })).error, null)
    }
    assert.deepEqual(
      receiver.connections.map(({ requests }) => requests.length),
      [1, 1, 1],
    )
  })

  test('carries one delivery at a time', async (t) => {
    const receiver = await receive(t, () => undefined)
    const sending = client(t)
    const posting = [1, 2, 3].map(() => sending.post({ url: receiver.url(), ...REQUEST }))
    const received = await Promise.all([1, 2, 3].map((number) => receiver.connection(number)))
    await Promise.all(received.map((each) => each.request()))
    assert.deepEqual(
      received.map(({ requests }) => requests.length),
      [1, 1, 1],
    )
    for (const { socket } of received) socket.write(OK)
    for (const { error } of await Promise.all(posting)) assert.equal(error, null)
  })

  test('that hangs delays no other delivery, not even to the same origin', async (t) => {
    const receiver = await receive(t, async (received) => {
      const request = await received.request()
      if (request.includes('/healthy ')) received.socket.write(OK)
    })
    const sending = client(t)
    const hung = Array.from({ length: 64 }, () => sending.post({ url: receiver.url('/hung'), ...REQUEST }))
    await Promise.all(hung.map(async (_, index) => (await receiver.connection(index + 1)).request()))
    assert.equal((await sending.post({ url: receiver.url('/healthy'), ...REQUEST })).error, null)
    await sending.close()
    for (const { error } of await Promise.all(hung)) assert.equal(error, 'aborted')
  })

  test('is kept only so often per origin, and in all', async (t) => {
    const receivers = [await receive(t, answering(OK)), await receive(t, answering(OK))] as const
    const sending = client(t, { bounds: { maxIdlePerOrigin: 8, maxIdle: 12, idleTimeoutMs: 60_000 } })
    for (const [index, kept] of [8, 4].entries()) {
      const receiver = receivers[index] ?? receivers[0]
      await Promise.all(Array.from({ length: 20 }, () => sending.post({ url: receiver.url(), ...REQUEST })))
      await receiver.openAtMost(kept)
      assert.deepEqual([receiver.connections.length, receiver.open], [20, kept])
    }
    await sending.close()
    await Promise.all(receivers.map((receiver) => receiver.openAtMost(0)))
  })
})

test('an error names an entry of the open blocks that is no address and no block', () => {
  assert.throws(() => new TargetClient({ allowCidrs: ['127.0.0.0/8', 'home'] }), {
    message: 'home is neither an address nor a CIDR block',
  })
})
