// The simulated platform: under any rules, it reports only what a real platform could report.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { MAX } from '@clinic-data/contract'
import { seeded, TestClock } from '@clinic-data/testing/test-clock'
import fc from 'fast-check'
import type { ReceiptReport, SendOutcome } from '../src/messaging-platform.ts'
import { SimulatedPlatform } from '../src/simulated.ts'
import { QUIET_DAY, type SimulationRules } from '../src/simulated-history.ts'
import { account, type Heard, setUp } from './simulated-set-up.ts'

test('a message is accepted, then reported as sent, delivered and read under both ids', async () => {
  const { clock, send, receipts } = setUp({
    failedShare: 0,
    unreachableShare: 0,
    readShare: 1,
    readAtOnceShare: 0,
    repeatedShare: 0,
    reversedShare: 0,
  })
  const outcome = await send('+972501234567')
  assert.equal(outcome.outcome, 'accepted')
  await clock.run()
  assert.deepEqual(
    receipts().map(({ status }) => status),
    ['sent', 'delivered', 'read'],
  )
  for (const receipt of receipts()) {
    assert.equal(receipt.message_id, 'out_1')
    assert.equal(receipt.platform_message_id, (outcome as { platform_message_id: string }).platform_message_id)
    assert.equal(receipt.reason, null)
  }
})

const fates: [string, SendOutcome['outcome'], string[]][] = [
  ['0001', 'refused', []],
  ['0002', 'accepted', ['sent', 'failed']],
  ['0003', 'accepted', ['sent', 'delivered']],
  ['0004', 'accepted', ['sent']],
  ['0006', 'unknown', ['sent', 'delivered', 'read']],
  ['0007', 'unknown', []],
  ['0008', 'accepted', ['read', 'delivered', 'read', 'sent', 'delivered', 'sent']],
  ['0009', 'accepted', ['sent', 'read']],
]

for (const [ending, outcome, statuses] of fates) {
  test(`a phone that ends in ${ending}: ${outcome}, then ${statuses.join(', ') || 'nothing'}, under any rules`, async () => {
    const everything = { refusedShare: 1, throttledShare: 1, unansweredShare: 1, failedShare: 1, repeatedShare: 1 }
    for (const rules of [{}, everything]) {
      const { clock, send, receipts } = setUp(rules)
      assert.equal((await send(`+97250123${ending}`)).outcome, outcome)
      await clock.run()
      assert.deepEqual(
        receipts().map(({ status }) => status),
        statuses,
      )
    }
  })
}

test('a phone that ends in 0005 is throttled at the first send of each message, then reached', async () => {
  const { clock, send, receipts } = setUp()
  for (const number of [1, 2]) {
    assert.deepEqual(await send('+972501230005', number), {
      outcome: 'retry',
      after_ms: 1000,
      reason: 'the simulated platform is throttling',
    })
    assert.equal((await send('+972501230005', number)).outcome, 'accepted')
  }
  await clock.run()
  assert.deepEqual(
    receipts()
      .map(({ message_id }) => message_id)
      .toSorted(),
    ['out_1', 'out_1', 'out_1', 'out_2', 'out_2', 'out_2'],
  )
})

/** The histories that are possible on a real platform, each event once and in order. */
const POSSIBLE = ['sent', 'failed', 'sent,failed', 'sent,delivered', 'sent,delivered,read', 'sent,read']
const ORDER = ['sent', 'delivered', 'read', 'failed']

function assertPossible(outcome: SendOutcome, heard: readonly Heard[]): void {
  const events = new Map<string, ReceiptReport>()
  for (const { report, arrivedMs } of heard) {
    assert.ok(report.kind === 'receipt')
    assert.deepEqual(events.get(report.status) ?? report, report, 'a repetition says the same')
    events.set(report.status, report)
    assert.ok(arrivedMs >= Date.parse(report.at), 'a report does not come before its event')
    assert.match(report.at, /:\d\dZ$/)
    assert.equal(report.reason === null, report.status !== 'failed')
  }
  const steps = ORDER.filter((status) => events.has(status))
  const times = steps.map((status) => events.get(status)?.at ?? '')
  assert.deepEqual(times, times.toSorted(), 'no step comes before the one that it follows from')
  const ids = new Set([...events.values()].map(({ platform_message_id }) => platform_message_id))
  if (outcome.outcome === 'accepted') assert.deepEqual([...ids], [outcome.platform_message_id])
  const isSilent = steps.length === 0
  if (outcome.outcome === 'refused' || outcome.outcome === 'retry') assert.ok(isSilent)
  else assert.ok(ids.size === 1 ? POSSIBLE.includes(steps.join()) : isSilent && outcome.outcome === 'unknown')
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const delay = fc
  .tuple(fc.nat({ max: 20_000 }), fc.nat({ max: 20_000 }))
  .map(([from, more]) => [from, from + more] as const)
const anyRules: fc.Arbitrary<SimulationRules> = fc.record({
  refusedShare: share,
  throttledShare: share,
  unansweredShare: share,
  failedShare: share,
  unreachableShare: share,
  readShare: share,
  readAtOnceShare: share,
  repeatedShare: share,
  reversedShare: share,
  answer: delay,
  sent: delay,
  delivered: delay,
  read: delay,
  report: delay,
})
const anyPhone = fc.integer({ min: 0, max: 40 }).map((ending) => `+97250123${String(ending).padStart(4, '0')}`)

async function play(rules: SimulationRules, phones: readonly string[], seed: number) {
  const { clock, heard, send } = setUp(rules, seed)
  const outcomes: SendOutcome[] = []
  for (const [number, phone] of phones.entries()) outcomes.push(await send(phone, number))
  await clock.run()
  assert.equal(clock.waiting, 0)
  return { outcomes, heard }
}

test('for any rules the reports about each message are a possible history', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      anyRules,
      fc.array(anyPhone, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      async (rules, phones, seed) => {
        const { outcomes, heard } = await play(rules, phones, seed)
        for (const [number, outcome] of outcomes.entries()) {
          seen.add(outcome.outcome)
          assertPossible(
            outcome,
            heard.filter(({ report }) => report.kind === 'receipt' && report.message_id === `out_${number}`),
          )
        }
      },
    ),
    { numRuns: 200 },
  )
  assert.deepEqual([...seen].toSorted(), ['accepted', 'refused', 'retry', 'unknown'])
})

test('the same numbers, clock and calls give the same results, including ids', async () => {
  const phones = Array.from({ length: 30 }, (_, i) => `+9725011${String(i + 1000)}`)
  const rules = { ...QUIET_DAY, unansweredShare: 0.3, throttledShare: 0.2, failedShare: 0.3, reversedShare: 0.4 }
  const first = await play(rules, phones, 7)
  assert.deepEqual(await play(rules, phones, 7), first)
  assert.notDeepEqual(await play(rules, phones, 8), first)
})

test('on request, every report comes twice and the last one first', async () => {
  const { clock, send, receipts } = setUp({
    failedShare: 0,
    unreachableShare: 0,
    readShare: 1,
    readAtOnceShare: 0,
    repeatedShare: 1,
    reversedShare: 1,
  })
  await send('+972501234567')
  await clock.run()
  const statuses = receipts().map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), ['delivered', 'delivered', 'read', 'read', 'sent', 'sent'])
  assert.ok(
    statuses.indexOf('read') < statuses.indexOf('delivered') &&
      statuses.indexOf('delivered') < statuses.indexOf('sent'),
  )
})

test('a send that is stopped before its answer has an unknown outcome, and an accepted message is still reported', async () => {
  const { clock, start, receipts } = setUp({ answer: [1000, 1000] })
  const abort = new AbortController()
  const sending = start('+972501230003', 1, abort.signal)
  await clock.run(999)
  abort.abort()
  assert.equal((await sending).outcome, 'unknown')
  assert.equal((await start('+972501230003', 2, abort.signal)).outcome, 'retry')
  await clock.run()
  assert.deepEqual(
    receipts().map(({ message_id, status }) => [message_id, status]),
    [
      ['out_1', 'sent'],
      ['out_1', 'delivered'],
    ],
  )
})

test('rejected reports come again, later each time', async () => {
  const clock = new TestClock()
  const arrivals: number[] = []
  const platform = new SimulatedPlatform({
    onReports: async () => {
      arrivals.push(clock.now().getTime())
      if (arrivals.length < 4) throw new Error('the database is away')
    },
    rules: { repeatedShare: 0 },
    random: seeded(1),
    clock,
  })
  platform.receive(account, { from_phone: '+972501234567', text: 'Hello' })
  await clock.run()
  assert.deepEqual(
    arrivals.slice(1).map((at, i) => at - (arrivals[i] ?? 0)),
    [1000, 2000, 4000],
  )
})

test('a listener that always rejects gets no more reports within a day', async () => {
  const clock = new TestClock()
  const platform = new SimulatedPlatform({ onReports: () => Promise.reject(new Error('no')), random: seeded(1), clock })
  platform.receive(account, { from_phone: '+972501234567', text: 'Hello' })
  await clock.run(24 * 60 * 60 * 1000)
  assert.equal(clock.waiting, 0)
})

test('a patient’s message is reported with its media, which the same account can fetch', async () => {
  const { clock, heard, platform } = setUp({ repeatedShare: 0 })
  const media = { content_type: 'image/jpeg', file_name: 'tooth.jpg', bytes: randomBytes(100) }
  const platform_message_id = platform.receive(account, {
    from_phone: '+972501234567',
    type: 'image',
    text: 'My tooth',
    media,
  })
  await clock.run()
  const [{ report }] = heard as [Heard]
  assert.ok(report.kind === 'inbound' && report.media !== null)
  assert.deepEqual(
    { ...report, at: '', media: { ...report.media, id: '' } },
    {
      kind: 'inbound',
      account_id: account.account_id,
      platform_message_id,
      from_phone: '+972501234567',
      at: '',
      display_name: null,
      type: 'image',
      text: 'My tooth',
      replied_to_platform_id: null,
      media: { id: '', type: 'image/jpeg', file_name: 'tooth.jpg' },
    },
  )
  const fetch = (of = account, maxBytes = 100) => platform.fetchMedia(of, report.media?.id ?? '', { maxBytes })
  assert.deepEqual(await fetch(), media)
  assert.equal(await fetch(account, 99), null)
  assert.equal(await fetch({ ...account, account_id: '2' }), null)
  assert.equal(await platform.fetchMedia(account, 'none', { maxBytes: 100 }), null)
})

test('a patient’s message keeps the contract’s bounds', () => {
  const { platform } = setUp()
  const text = '👋'.repeat(MAX.message)
  assert.doesNotThrow(() => platform.receive(account, { from_phone: '+972501234567', text }))
  assert.throws(() => platform.receive(account, { from_phone: '+972501234567', text: `${text}x` }), RangeError)
  assert.throws(() => platform.receive(account, { from_phone: '050-1234567', text: 'x' }), RangeError)
})

test('only the latest media are kept', async () => {
  const { clock, heard, platform } = setUp({ repeatedShare: 0, report: [1, 1] })
  const media = { content_type: 'image/jpeg', file_name: null, bytes: randomBytes(1) }
  for (let i = 0; i < 101; i++) platform.receive(account, { from_phone: '+972501234567', media })
  await clock.run()
  const found = await Promise.all(
    heard.map(({ report }) =>
      platform.fetchMedia(account, report.kind === 'inbound' ? (report.media?.id ?? '') : '', { maxBytes: 1 }),
    ),
  )
  assert.deepEqual([found[0], found.filter((one) => one !== null).length], [null, 100])
})

test('after closing it reports nothing, ends running sends as unknown, and accepts no others', async () => {
  const { clock, platform, start, send, heard } = setUp()
  await send('+972501230003')
  const sending = start('+972501230003', 2)
  await platform.close()
  assert.equal((await sending).outcome, 'unknown')
  assert.equal((await start('+972501230003', 3)).outcome, 'retry')
  assert.equal(clock.waiting, 0)
  await clock.run()
  assert.deepEqual(heard, [])
})
