// The networks that a key may be bound to: their one spelling, and which addresses lie in them.
import assert from 'node:assert/strict'
import { BlockList, isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWiderThan, liesWithin, NETWORK_CHARACTERS, readNetwork, spelledNetworks } from '../src/values/network.ts'

const SPELLED: readonly [string, string][] = [
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9/32', '203.0.113.9'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['128.0.0.0/1', '128.0.0.0/1'],
  ['0.0.0.0/8', '0.0.0.0/8'],
  ['2001:DB8:0:0::/32', '2001:db8::/32'],
  ['2001:db8::9/128', '2001:db8::9'],
  ['::1', '::1'],
]
const REFUSED = [
  ['', ' ', 'x', '1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4', '1.2.3.4/', '1.2.3.4/33', '1.2.3.4/032', '1.2.3.4/-1'],
  [
    '0.0.0.0/0',
    '::/0',
    '203.0.113.9/24',
    '203.0.113.128/24',
    '2001:db8::1/32',
    '1.2.3.4/24/24',
    '1.2.3.4\n',
    '1.2.3.4.',
  ],
  [
    '::ffff:203.0.113.9',
    '::ffff:203.0.113.0/120',
    '::ffff:0:0/95',
    'fe80::1%eth0',
    '[::1]',
    ':::',
    '1::2::3',
    '::1/129',
    '::/+1',
  ],
].flat()

test('a network has one spelling, and every text that could mean another one is refused', () => {
  for (const [text, expected] of SPELLED) {
    assert.equal(readNetwork(text), expected, text)
    assert.equal(readNetwork(expected), expected)
    assert.ok(expected.length <= NETWORK_CHARACTERS)
  }
  for (const text of REFUSED) assert.equal(readNetwork(text), null, text)
  assert.deepEqual(spelledNetworks(['10.0.0.1', '10.0.0.1/32', '2001:DB8::1', '2001:db8::1']), [
    '10.0.0.1',
    '2001:db8::1',
  ])
  assert.equal(spelledNetworks(null), null)
})

const v4 = fc.tuple(
  fc.bigInt(0n, 2n ** 32n - 1n),
  fc.nat(31).map((n) => n + 1),
  fc.constant(32),
)
const v6 = fc.tuple(
  fc.bigInt(0n, 2n ** 128n - 1n),
  fc.nat(127).map((n) => n + 1),
  fc.constant(128),
)

function addressOf(value: bigint, width: number): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, n) => ((value >> BigInt(112 - 16 * n)) & 0xffffn).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

test('an address lies in a network exactly when Node’s own list says so, also next to its edges', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.bigInt(-2n, 2n), fc.boolean(), ([value, prefix, width], step, atEnd) => {
      const rest = BigInt(width - prefix)
      const first = (value >> rest) << rest
      const network = readNetwork(`${addressOf(first, width)}/${prefix}`)
      // Node takes IPv4 in the form of IPv6 for IPv4, and we refuse it as a network.
      fc.pre(network !== null)
      const near = BigInt.asUintN(width, (atEnd ? first + (1n << rest) : first) + step)
      const asked = addressOf(near, width)
      const list = new BlockList()
      const family = width === 32 ? 'ipv4' : 'ipv6'
      list.addSubnet(addressOf(first, width), prefix, family)
      assert.equal(liesWithin(asked, [network]), list.check(asked, family), `${asked} in ${network}`)
    }),
    { seed: 7, numRuns: 2_000 },
  )
})

test('an IPv4 client in the form of IPv6 is the IPv4 client, and nobody else lies in a network of the other family', () => {
  assert.ok(liesWithin('::ffff:203.0.113.9', ['203.0.113.0/24']))
  assert.ok(liesWithin('::FFFF:cb00:7109', ['203.0.113.9']))
  assert.ok(!liesWithin('::203.0.113.9', ['203.0.113.0/24']))
  assert.ok(!liesWithin('203.0.113.9', ['2001:db8::/32', '::/1']))
  assert.ok(isIPv6('2001:db8::1') && !liesWithin('2001:db8::1', ['32.0.0.0/3']))
  for (const address of ['', 'unknown', '203.0.113.9:443', '203.0.113.9, 10.0.0.1']) {
    assert.ok(!liesWithin(address, ['128.0.0.0/1', '::/1', '8000::/1']), address)
  }
  // A backend may send anything: what is no network holds nobody.
  for (const wrong of ['', '0.0.0.0/0', 'x', '203.0.113.9/8']) assert.ok(!liesWithin('203.0.113.9', [wrong]), wrong)
  assert.ok(!liesWithin('203.0.113.9', []))
})

test('networks are wider when somebody in them was in none of the former', () => {
  const former = ['10.0.0.0/8', '2001:db8::/32']
  for (const same of [former, ['10.1.0.0/16'], ['10.0.0.9', '2001:db8:1::/48'], [...former].reverse()])
    assert.ok(!isWiderThan(same, former), String(same))
  for (const wider of [['10.0.0.0/7'], [...former, '192.0.2.1'], ['2001:db9::1'], null])
    assert.ok(isWiderThan(wider, former), String(wider))
  for (const any of [null, former]) assert.ok(!isWiderThan(any, null))
})
