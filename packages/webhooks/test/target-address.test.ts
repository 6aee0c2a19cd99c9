// The addresses to which a webhook may be sent: the edges of blocks, and every way to write an address.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AddressBlocks } from '../src/receiver/address-blocks.ts'
import { isGlobalUnicast, TargetAddresses } from '../src/receiver/target-address.ts'

/** First and last address of each forbidden block. */
const forbiddenBlocks: Readonly<Record<string, readonly [string, string]>> = {
  '0.0.0.0/8': ['0.0.0.0', '0.255.255.255'],
  '10.0.0.0/8': ['10.0.0.0', '10.255.255.255'],
  '100.64.0.0/10': ['100.64.0.0', '100.127.255.255'],
  '127.0.0.0/8': ['127.0.0.0', '127.255.255.255'],
  '168.63.129.16': ['168.63.129.16', '168.63.129.16'],
  '169.254.0.0/16': ['169.254.0.0', '169.254.255.255'],
  '172.16.0.0/12': ['172.16.0.0', '172.31.255.255'],
  '192.0.0.0/24': ['192.0.0.0', '192.0.0.255'],
  '192.0.2.0/24': ['192.0.2.0', '192.0.2.255'],
  '192.88.99.0/24': ['192.88.99.0', '192.88.99.255'],
  '192.168.0.0/16': ['192.168.0.0', '192.168.255.255'],
  '198.18.0.0/15': ['198.18.0.0', '198.19.255.255'],
  '198.51.100.0/24': ['198.51.100.0', '198.51.100.255'],
  '203.0.113.0/24': ['203.0.113.0', '203.0.113.255'],
  '224.0.0.0/4': ['224.0.0.0', '239.255.255.255'],
  '240.0.0.0/4': ['240.0.0.0', '255.255.255.255'],
  '::/8': ['::', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '::ffff:0:0/96': ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  '64:ff9b::/96': ['64:ff9b::', '64:ff9b::ffff:ffff'],
  '64:ff9b:1::/48': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  '100::/64': ['100::', '100::ffff:ffff:ffff:ffff'],
  '2001::/32': ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001:db8::/32': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2002::/16': ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '3fff::/20': ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '4000::/2': ['4000::', '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '5f00::/16': ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fc00::/7': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fe80::/10': ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fec0::/10': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'ff00::/8': ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
}

/** Neighbours of the blocks, and well-known addresses. */
const global = [
  ...['168.63.129.15', '168.63.129.17'],
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ...['192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '8.8.8.8', '93.184.215.14'],
  ...['2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2001:ffff::', '2003::', '3ffe:ffff::', '3fff:1000::'],
  ...['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2A00:1450:4001:0830:0000:0000:0000:200E'],
]

/** Disguised forms of 127.0.0.1, 10.0.0.1, 169.254.169.254 and the like. The URL parser's reading of them must be judged. */
const disguised = [
  ...['2130706433', '0x7f000001', '017700000001', '127.1', '127.0.1', '0x7f.1', '0177.0.0.1', '0x7f.0x0.0x0.0x1'],
  ...['127.0.0.1.', '0x7f000001.', '%31%32%37.0.0.1', '１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '127．0．0．1'],
  ...['0', '0x', '0.0.0.0', '00000000.0', '4294967295', '0xffffffff', '167772161', '012.1', '10.1', '0xa.0.0.1'],
  ...['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.0xfea9fe', '3232235777', '0300.0250.1'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::FFFF:A9FE:A9FE]', '[0:0:0:0:0:ffff:10.0.0.1]', '[::ffff:8.8.8.8]', '[::ffff:0:127.0.0.1]'],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
  ],
  ...['[2001::1]', '[fe80::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]', '[100::1]', '[5f00::1]', '[3fff::1]'],
]

describe('an address', () => {
  for (const [block, edges] of Object.entries(forbiddenBlocks)) {
    test(`of ${block} is never sent to, first and last included`, () => {
      for (const address of edges) assert.equal(isGlobalUnicast(address), false, address)
    })
  }

  test('beside the forbidden blocks is open', () => {
    const closed = global.filter((address) => !isGlobalUnicast(address))
    assert.deepEqual(closed, [])
  })

  test('in any disguise that a URL allows is judged by where it connects', () => {
    const open = disguised
      .map((host) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, ''))
      .filter((address) => isGlobalUnicast(address))
    assert.deepEqual(open, [])
  })

  test('of IPv4 is never open when it is written within one of IPv6', () => {
    const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
    const within = fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:', '64:ff9b:1::')
    fc.assert(
      fc.property(bytes, within, (address, prefix) => {
        const [a, b, c, d] = address.map((byte) => byte.toString(16).padStart(2, '0'))
        return !isGlobalUnicast(prefix + address.join('.')) && !isGlobalUnicast(`2002:${a}${b}:${c}${d}::1`)
      }),
    )
  })

  test('of IPv6 outside 2000::/3 is never open', () => {
    const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(groups, (address) => {
        const isOutside = (address[0] ?? 0) >> 13 !== 1
        return !isOutside || !isGlobalUnicast(address.map((group) => group.toString(16)).join(':'))
      }),
    )
  })

  test('with a zone, or a text that is no address, is never open', () => {
    for (const text of ['fe80::1%eth0', '', 'example.com', '127.1', '8.8.8.8/32', '[2606:4700::1111]', '8.8.8.8 '])
      assert.equal(isGlobalUnicast(text), false, text)
  })
})

describe("this machine's own addresses", () => {
  test('are forbidden, even global ones, in any spelling', () => {
    const addresses = new TargetAddresses({ ownAddresses: () => ['8.8.4.4', '2606:4700::1'] })
    assert.equal(addresses.isForbidden('8.8.4.4'), true)
    assert.equal(addresses.isForbidden('2606:4700:0:0:0:0:0:1'), true)
    assert.equal(addresses.isForbidden('8.8.8.8'), false)
  })

  test('are those of the network interfaces', () => {
    const addresses = new TargetAddresses()
    const own = Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address))
    assert.ok(own.length > 0)
    for (const address of own) assert.equal(addresses.isForbidden(address), true, address)
  })

  test('are listed again after 10 seconds', () => {
    let now = 0
    let own: string[] = []
    const addresses = new TargetAddresses({ now: () => now, ownAddresses: () => own })
    assert.equal(addresses.isForbidden('8.8.4.4'), false)
    own = ['8.8.4.4']
    now = 9_999
    assert.equal(addresses.isForbidden('8.8.4.4'), false)
    now = 10_000
    assert.equal(addresses.isForbidden('8.8.4.4'), true)
  })
})

describe('blocks that are open for development', () => {
  test('open only the addresses in them', () => {
    const addresses = new TargetAddresses({ allowCidrs: ['127.0.0.0/8', 'fd00::/8', '10.1.2.3'] })
    for (const address of ['127.0.0.1', '127.255.255.255', 'fd00::1', '10.1.2.3'])
      assert.equal(addresses.isForbidden(address), false, address)
    for (const address of ['10.1.2.4', '::1', 'fe80::1', '169.254.169.254', '::ffff:127.0.0.1'])
      assert.equal(addresses.isForbidden(address), true, address)
  })

  test('are addresses or CIDR blocks, and an error names any other', () => {
    assert.ok(new AddressBlocks(['::/0', '0.0.0.0/0', '::1/128', '1.2.3.4/32']).has('1.1.1.1'))
    for (const block of [
      '',
      'localhost',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.1',
      'fe80::1%lo',
    ])
      assert.throws(() => new AddressBlocks(['10.0.0.0/8', block]), {
        message: `${block} is neither an address nor a CIDR block`,
      })
  })

  test('let plain http go to loopback', () => {
    assert.equal(new TargetAddresses({ allowCidrs: ['127.0.0.1'] }).allowsLoopbackHttp, true)
    assert.equal(new TargetAddresses().allowsLoopbackHttp, false)
  })
})
