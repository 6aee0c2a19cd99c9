// Names are resolved by DNS: both families, within the time limit, even with bad name servers.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { dnsResolver } from '../src/receiver/resolve-name.ts'

const A = 1
const AAAA = 28
type Answer = { code?: number; addresses?: readonly (readonly number[])[] } | null

/** A name server with scripted answers. Null: it never answers. */
async function nameServer(t: TestContext, answer: (type: number) => Answer): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    // Header of 12 bytes, the name's labels, type and class.
    const end = question.indexOf(0, 12) + 5
    const said = answer(question.readUInt16BE(end - 4))
    if (said === null) return
    const { code = 0, addresses = [] } = said
    const records = addresses.map((address) => {
      const record = Buffer.from([0xc0, 12, ...question.subarray(end - 4, end), 0, 0, 0, 60, 0, address.length])
      return Buffer.concat([record, Buffer.from(address)])
    })
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

const V4 = [93, 184, 215, 14]
const V6 = [0x26, 6, 0x28, 0, ...Array(11).fill(0), 1]

describe('a name', () => {
  test('has the addresses of both families', async (t) => {
    const server = await nameServer(t, (type) => ({ addresses: type === A ? [V4, [10, 0, 0, 1]] : [V6] }))
    assert.deepEqual(await dnsResolver({ servers: [server] })('crm.example.com'), [
      '93.184.215.14',
      '10.0.0.1',
      '2606:2800::1',
    ])
  })

  test('has those of one family when the other has none, fails, or is never answered', async (t) => {
    for (const other of [{}, { code: 2 }, null]) {
      for (const type of [A, AAAA]) {
        const server = await nameServer(t, (questioned) =>
          questioned === type ? { addresses: [type === A ? V4 : V6] } : other,
        )
        const resolving = dnsResolver({ servers: [server], patienceMs: 500 })
        assert.deepEqual(await resolving('crm.example.com'), [type === A ? '93.184.215.14' : '2606:2800::1'])
      }
    }
  })

  test('that does not exist, is malformed, or is never answered has none', async (t) => {
    const nowhere = await nameServer(t, () => ({ code: 3 }))
    assert.deepEqual(await dnsResolver({ servers: [nowhere] })('crm.example.com'), [])
    assert.deepEqual(await dnsResolver({ servers: [nowhere] })('127.0.0.1..'), [])
    const silent = await nameServer(t, () => null)
    const askedAt = performance.now()
    assert.deepEqual(await dnsResolver({ servers: [silent], patienceMs: 30 })('crm.example.com'), [])
    assert.ok(performance.now() - askedAt < 2_000)
  })

  test('of this machine is loopback, for every answer of the name servers', async (t) => {
    const server = await nameServer(t, () => ({ addresses: [V4] }))
    for (const name of ['localhost', 'localhost.', 'a.b.localhost'])
      assert.deepEqual(await dnsResolver({ servers: [server] })(name), ['127.0.0.1', '::1'], name)
  })
})
