// An untrusted client cannot choose the address that we see.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ClientAddress } from '../src/connections/client-address.ts'

function from(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  return { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage
}

const proxies = new ClientAddress(['10.0.0.0/8', '192.0.2.7', '2001:db8:aa::/48'])

test('without trusted proxies X-Forwarded-For is never trusted', () => {
  assert.equal(new ClientAddress([]).of(from('10.0.0.1', '203.0.113.9')), '10.0.0.1')
})

test('a peer that is no trusted proxy is the client, even if it sends forwarding headers', () => {
  assert.equal(proxies.of(from('198.51.100.1', '203.0.113.9')), '198.51.100.1')
  assert.equal(proxies.of(from('192.0.2.8', '10.0.0.1')), '192.0.2.8')
})

test('behind trusted proxies the client is the rightmost address that is not one of them', () => {
  for (const [forwarded, client] of [
    ['203.0.113.9', '203.0.113.9'],
    ['1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['1.1.1.1,203.0.113.9 , 10.2.3.4, 192.0.2.7', '203.0.113.9'],
    ['10.9.9.9, 10.8.8.8', '10.9.9.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['2001:DB8:0:0::1, 2001:db8:aa::5', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
  ]) {
    assert.equal(proxies.of(from('10.0.0.1', forwarded)), client, forwarded)
  }
})

test('a malformed address ends the search, and the proxy that passed it on is the client', () => {
  for (const forwarded of ['', 'unknown', '203.0.113.9, junk', '203.0.113.9,', '1.2.3', '[::1', '<script>']) {
    assert.equal(proxies.of(from('10.0.0.1', forwarded)), '10.0.0.1', forwarded)
  }
  assert.equal(proxies.of(from('10.0.0.1', '203.0.113.9, junk, 10.7.7.7')), '10.7.7.7')
})

test('an IPv4 client of a dual-stack socket is an IPv4 client', () => {
  assert.equal(proxies.of(from('::ffff:198.51.100.1')), '198.51.100.1')
  assert.equal(proxies.of(from('::ffff:10.0.0.1', '203.0.113.9')), '203.0.113.9')
})

test('a closed socket has no address and causes no error', () => {
  assert.equal(proxies.of(from(undefined, '203.0.113.9')), '')
  assert.equal(proxies.of(from('fe80::1%eth0')), 'fe80::1')
})

test('of a list longer than any chain of proxies only the end is read', () => {
  const hops = Array.from({ length: 20 }, (_, n) => `10.1.1.${n}`)
  assert.equal(proxies.of(from('10.0.0.1', `203.0.113.9, ${hops.join(', ')}`)), '10.1.1.4')
})

test('several headers count as one list, as they arrive over a socket', async (t) => {
  const loopback = new ClientAddress(['127.0.0.0/8', '::1'])
  const server = createServer((incoming, response) => response.end(loopback.of(incoming)))
  t.after(() => server.close())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const answered = await new Promise<string>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', headers: { 'x-forwarded-for': ['1.1.1.1', '203.0.113.9'] } })
    sent.on('error', reject)
    sent.on('response', (response) => response.setEncoding('utf8').on('data', resolve))
    sent.end()
  })
  assert.equal(answered, '203.0.113.9')
})

test('an error names an entry of TRUSTED_PROXIES that is no address and no block', () => {
  for (const entry of [
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0.0/-1',
    '10.0/8',
  ]) {
    assert.throws(
      () => new ClientAddress([entry]),
      /^Error: TRUSTED_PROXIES: .* is neither an address nor a CIDR block$/,
    )
  }
})
