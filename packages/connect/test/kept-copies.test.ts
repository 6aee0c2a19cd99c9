// The bounds of what is kept and read of other servers.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TestClock } from '@clinic-data/testing/test-clock'
import { KeptCopies } from '../src/apps/kept-copies.ts'
import type { Reader } from '../src/apps/reader.ts'
import { ReadingPlaces, siteOf } from '../src/apps/reading-places.ts'
import { OAuthError } from '../src/oauth-error.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const { signal } = new AbortController()
const person = (clinic_id = 'a-clinic'): Reader => ({ clinic_id })
const stranger = (address = '192.0.2.7', ending = signal): Reader => ({
  address,
  clinic: async () => null,
  signal: ending,
})
const connected = (clinic = 'another-clinic'): Reader => ({ address: '192.0.2.7', clinic: async () => clinic, signal })

/** Copies of servers that answer as their addresses say. */
function opened() {
  const clock = new TestClock()
  const now = () => clock.now()
  const loaded: string[] = []
  const away = new Set<string>()
  const held: (() => void)[] = []
  const copies = new KeptCopies({
    now,
    places: new ReadingPlaces(now),
    load: async (url) => {
      loaded.push(url)
      if (url.includes('hanging')) await new Promise<void>((resolve) => held.push(resolve))
      if (url.includes('broken')) throw new OAuthError('invalid_client', 'It is broken.')
      if (away.has(url)) throw new OAuthError('temporarily_unavailable', 'It is away.', 503)
      return { value: { url }, keptMs: 5 * MINUTE_MS }
    },
  })
  /** How many of these were begun, and not refused at once. */
  const begun = async (reading: readonly Promise<unknown>[]) => {
    const before = held.length
    for (const one of reading) one.catch(() => undefined)
    // Each look-up of a reader takes some turns of the loop.
    await new Promise((resolve) => setImmediate(resolve))
    return held.length - before
  }
  /** How many of these wait still, and were not refused at once. */
  const waiting = async (reading: readonly Promise<unknown>[]) => {
    let number = reading.length
    for (const one of reading) one.catch(() => number--)
    await new Promise((resolve) => setImmediate(resolve))
    return number
  }
  const release = () => {
    for (const end of held.splice(0)) end()
  }
  return { copies, clock, loaded, away, begun, waiting, release }
}

const refused = (reading: Promise<unknown>) =>
  assert.rejects(reading, { name: 'OAuthError', code: 'temporarily_unavailable' })

test('a flood of addresses leaves a bounded number of copies, and those that people use stay', async () => {
  const { copies, clock, loaded } = opened()
  const used = 'https://agent.example.com/app.json'
  await copies.read(used, person())
  for (let i = 0; i < 2_000; i++) {
    await clock.run(1)
    const from = stranger(`203.${i >> 8}.${i & 255}.7`)
    await copies.read(`https://app.flood${i}.example/${i % 2 ? 'app' : 'broken'}`, from).catch(() => undefined)
  }
  assert.ok(copies.size <= 501, String(copies.size))
  await copies.read(used, connected())
  assert.equal(loaded.filter((url) => url === used).length, 1)
  assert.equal(loaded.length, 2_001)
})

describe('documents that hang', () => {
  const hanging = (i: number) => `https://app.site${i}.example/hanging`

  test('of strangers take twenty places, and none of those of people and of connected apps', async () => {
    const { copies, begun } = opened()
    const flood = Array.from({ length: 100 }, (_, i) => copies.read(hanging(i), stranger(`203.0.113.${i}`)))
    assert.equal(await begun(flood), 20)
    await refused(copies.read('https://new.example/app.json', stranger('198.51.100.1')))
    await copies.read('https://new.example/app.json', person())
    await copies.read('https://other.example/app.json', connected())
  })

  test('of one address, /64 or /48 take a few', async () => {
    const { copies, begun } = opened()
    const from = (address: (i: number) => string, first: number) =>
      Array.from({ length: 12 }, (_, i) => copies.read(hanging(first + i), stranger(address(i))))
    assert.equal(await begun(from(() => '192.0.2.7', 0)), 2)
    assert.equal(await begun(from((i) => `2001:db8:1:1::${i + 1}`, 20)), 2)
    assert.equal(await begun(from((i) => `2001:db8:2:${i + 1}::1`, 40)), 8)
  })

  test('of one site take a few, below whatever names and ports', async () => {
    const { copies, begun } = opened()
    const of = (i: number) => `https://a${i}.site.co.uk:${8000 + i}/hanging`
    const strangers = Array.from({ length: 20 }, (_, i) => copies.read(of(i), stranger(`203.0.113.${i}`)))
    assert.equal(await begun(strangers), 10)
    const people = Array.from({ length: 10 }, (_, i) => copies.read(of(20 + i), person(`clinic-${i}`)))
    assert.equal(await begun(people), 4)
    await copies.read('https://a.other.co.uk/app.json', stranger('198.51.100.1'))
  })

  test('of one address, /64 or /48 leave others places of the same site', async () => {
    const addresses = [
      () => '192.0.2.7',
      (i: number) => `2001:db8:1:1::${i + 1}`,
      (i: number) => `2001:db8:2:${i + 1}::1`,
    ]
    for (const address of addresses) {
      const { copies, begun } = opened()
      const of = (i: number) => copies.read(`https://a${i}.host.example/hanging`, stranger(address(i)))
      await begun(Array.from({ length: 12 }, (_, i) => of(i)))
      await refused(of(12))
      await copies.read('https://good.host.example/app.json', stranger('198.51.100.1'))
    }
  })

  test('of one clinic take a few of the places of clinics', async () => {
    const { copies, begun } = opened()
    const people = Array.from({ length: 10 }, (_, i) => copies.read(hanging(i), person()))
    assert.equal(await begun(people), 3)
    await copies.read('https://new.example/app.json', person('another-clinic'))
  })

  test('keep few waiting for one read: of an address, of strangers, of a clinic and of clinics', async () => {
    const { copies, waiting, loaded, release } = opened()
    const read = (many: number, reader: (i: number) => Reader) =>
      Array.from({ length: many }, (_, i) => copies.read(hanging(0), reader(i)))
    const first = read(1, () => stranger())
    assert.equal(await waiting(first), 1)
    for (const [reader, most] of [
      [() => stranger(), 1],
      [(i: number) => stranger(`203.0.113.${i}`), 18],
      [() => connected(), 3],
      [(i: number) => connected(`clinic-${i}`), 17],
      // They come by no gateway.
      [() => person(), 70],
    ] as const)
      assert.equal(await waiting(read(70, reader)), most)
    assert.equal(loaded.length, 1)
    release()
    await first[0]
    // Each has left.
    assert.equal(await waiting(Array.from({ length: 3 }, (_, i) => copies.read(hanging(1), person(`${i}`)))), 3)
    assert.equal(await waiting(Array.from({ length: 2 }, () => copies.read(hanging(2), stranger()))), 2)
  })

  test('keep nobody waiting for longer than the request may, and are read on for others', async () => {
    const { copies, waiting, loaded, release } = opened()
    const ending = new AbortController()
    const [first, joining] = [1, 2].map(() => copies.read(hanging(0), stranger('192.0.2.7', ending.signal)))
    const other = copies.read(hanging(0), stranger('192.0.2.8'))
    assert.equal(await waiting([first, joining, other].map((one) => one ?? assert.fail())), 3)
    ending.abort()
    for (const one of [first, joining]) await refused(one ?? assert.fail())
    await refused(copies.read(hanging(1), stranger('192.0.2.9', ending.signal)))
    assert.equal(loaded.length, 1)
    release()
    assert.deepEqual(await other, { url: hanging(0) })
  })
})

test('a stranger begins thirty reads a minute, of good documents too', async () => {
  const { copies, clock, loaded } = opened()
  for (let i = 0; i < 30; i++) await copies.read(`https://app.site${i}.example/${i}`, stranger())
  await refused(copies.read('https://new.example/app.json', stranger()))
  assert.equal(loaded.length, 30)
  await clock.run(MINUTE_MS)
  await copies.read('https://new.example/app.json', stranger())
})

test('of one site all strangers together begin three hundred reads a minute, and no address, /64 or /48 takes them from others', async () => {
  const { copies, clock } = opened()
  const of = (path: string, reader: Reader) => copies.read(`https://one.example/${path}`, reader)
  for (let i = 0; i < 30; i++) await of(`address${i}`, stranger())
  await refused(of('address', stranger()))
  for (let i = 0; i < 120; i++) await of(`block${i}`, stranger(`2001:db8:2:${i}::1`))
  await refused(of('block', stranger('2001:db8:2:ffff::1')))
  for (let i = 0; i < 150; i++) await of(`other${i}`, stranger(`203.0.113.${i}`))
  await refused(of('other', stranger('198.51.100.1')))
  await of('other', person())
  await clock.run(MINUTE_MS)
  await of('another', stranger('198.51.100.1'))
})

describe('an old copy', () => {
  const url = 'https://agent.example.com/app.json'

  test('is used for a day while its server is away, which is asked every ten seconds', async () => {
    const { copies, clock, loaded, away } = opened()
    await copies.read(url, person())
    away.add(url)
    await clock.run(5 * MINUTE_MS)
    for (const reader of [connected(), stranger(), person()]) assert.deepEqual(await copies.read(url, reader), { url })
    assert.equal(loaded.length, 2)
    await clock.run(10_000)
    assert.deepEqual(await copies.read(url, stranger()), { url })
    assert.equal(loaded.length, 3)
    await clock.run(24 * HOUR_MS)
    await refused(copies.read(url, person()))
  })

  test('is used where no place for a read is free', async () => {
    const { copies, clock, begun } = opened()
    await copies.read(url, person())
    await clock.run(5 * MINUTE_MS)
    const of = (i: number) => copies.read(`https://h${i}.example.com/hanging`, stranger(`203.0.113.${i}`))
    assert.equal(await begun(Array.from({ length: 10 }, (_, i) => of(i))), 10)
    assert.deepEqual(await copies.read(url, stranger('198.51.100.1')), { url })
  })

  test('is not used when its server says otherwise, nor in place of a newer one that was asked for', async () => {
    const { copies, clock, away } = opened()
    const changed = 'https://agent.example.com/keys'
    await copies.read(changed, person())
    away.add(changed)
    await clock.run(MINUTE_MS)
    await refused(copies.read(changed, person(), true))
    assert.deepEqual(await copies.read(changed, person()), { url: changed })
  })
})

test('names and ports below one domain are one site', () => {
  for (const [url, site] of [
    ['https://example.com/a', 'example.com'],
    ['https://a.b.example.com:8443/a', 'example.com'],
    ['https://a.example.co.uk/', 'example.co.uk'],
    ['https://example.co.uk/', 'example.co.uk'],
    ['https://a.b.io/', 'b.io'],
    ['https://a.co.example/', 'co.example'],
    ['https://a.example.com./', 'example.com'],
    ['https://localhost/', 'localhost'],
    ['https://192.0.2.7:444/', '192.0.2.7'],
    ['https://[2001:db8:1:2::3]/', '2001:db8:1'],
  ] as const)
    assert.equal(siteOf(url), site, url)
})
