// WhatsApp's webhook: its authenticity, and the result of each report, however strange.
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { MAX } from '@clinic-data/contract'
import { messageTypes } from '@clinic-data/contract/resources/chat'
import { anyCharacter } from '@clinic-data/testing/any-character'
import {
  ACCOUNT,
  inbound,
  messages,
  NOW,
  payload,
  receipt,
  receipts,
  SENDER,
  SENT_ISO,
} from '@clinic-data/testing/receivers/webhook-payloads'
import { sized } from '@clinic-data/testing/run/size'
import fc from 'fast-check'
import { type PlatformReport, receiptStatuses } from '../src/messaging-platform.ts'
import { answerVerification, isSignedByPlatform, readWebhook } from '../src/whatsapp-webhook.ts'

function only(body: unknown): PlatformReport | null {
  const byAccount = readWebhook(JSON.parse(JSON.stringify(body)), NOW)
  const reports = byAccount.get(ACCOUNT) ?? []
  assert.deepEqual([...byAccount.keys()], reports.length === 0 ? [] : [ACCOUNT])
  assert.ok(reports.length <= 1)
  return reports[0] ?? null
}

test('a webhook is set up with the verify token, and answers the challenge', () => {
  const token = randomBytes(16).toString('hex')
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444' }
  assert.equal(answerVerification(query, token), '1158201444')
  const wrong: Record<string, unknown>[] = [
    { ...query, 'hub.mode': 'unsubscribe' },
    { ...query, 'hub.verify_token': `${token}x` },
    { ...query, 'hub.verify_token': '' },
    { ...query, 'hub.verify_token': [token] },
    { ...query, 'hub.challenge': '<script>' },
    { ...query, 'hub.challenge': ['1'] },
    { ...query, 'hub.challenge': undefined },
    {},
  ]
  for (const one of wrong) assert.equal(answerVerification(one, token), null)
  assert.equal(answerVerification({ ...query, 'hub.verify_token': '' }, ''), null)
})

test('a signature is valid only for these bytes, this secret and this form', () => {
  const secret = randomBytes(16).toString('hex')
  const body = Buffer.from('{"text":"\\u05e9\\u05dc\\u05d5\\u05dd שלום"}')
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  const isSigned = (bytes: Uint8Array, header: unknown, by = secret) => isSignedByPlatform(bytes, header, by)
  assert.ok(isSigned(body, `sha256=${hex}`))
  assert.ok(isSigned(Buffer.alloc(0), `sha256=${createHmac('sha256', secret).update('').digest('hex')}`))
  assert.ok(!isSigned(Buffer.from(JSON.stringify(JSON.parse(body.toString()))), `sha256=${hex}`))
  assert.ok(!isSigned(body, `sha256=${hex}`, randomBytes(16).toString('hex')))
  const flipped = `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`
  const headers = [
    hex,
    `sha1=${hex}`,
    `sha256=${flipped}`,
    `sha256=${hex}0`,
    `sha256=${hex.slice(2)}`,
    `sha256=${hex} `,
  ]
  for (const header of [...headers, '', undefined, [`sha256=${hex}`]]) assert.ok(!isSigned(body, header))
})

test('a signature with any one digit changed is not valid', () => {
  const body = Buffer.from('{}')
  const hex = createHmac('sha256', 'secret').update(body).digest('hex')
  for (const [at, digit] of [...hex].entries()) {
    const changed = `${hex.slice(0, at)}${digit === '0' ? '1' : '0'}${hex.slice(at + 1)}`
    assert.ok(!isSignedByPlatform(body, `sha256=${changed}`, 'secret'), `digit ${at}`)
  }
})

test('without an app secret no signature is valid', () => {
  const body = Buffer.from('{}')
  assert.ok(!isSignedByPlatform(body, `sha256=${createHmac('sha256', '').update(body).digest('hex')}`, ''))
})

for (const [what, { sent, expected }] of Object.entries(messages)) {
  test(`a message from a patient: ${what}`, () => {
    const common = {
      kind: 'inbound',
      account_id: ACCOUNT,
      platform_message_id: 'wamid.in1',
      from_phone: `+${SENDER}`,
      display_name: 'Noa L.',
      text: null,
      media: null,
      replied_to_platform_id: null,
      at: SENT_ISO,
    }
    assert.deepEqual(only(inbound(sent)), expected && { ...common, ...expected })
  })
}

for (const [what, { sent, expected }] of Object.entries(receipts)) {
  test(`a receipt: ${what}`, () => {
    const common = {
      kind: 'receipt',
      account_id: ACCOUNT,
      message_id: 'out_70412',
      platform_message_id: 'wamid.out1',
      at: SENT_ISO,
      reason: null,
    }
    assert.deepEqual(only(receipt(sent)), expected && { ...common, ...expected })
  })
}

test('the examples cover every message type of the contract', () => {
  const reached = new Set(Object.values(messages).map(({ expected }) => expected?.type))
  assert.deepEqual(
    messageTypes.filter((type) => !reached.has(type)),
    [],
  )
})

test('each message gets its own sender’s name, also when one webhook has several', () => {
  const from = (from: string, id: string) => ({ from, id, timestamp: '1783837721', type: 'text', text: { body: 'x' } })
  const contacts = [
    { wa_id: '5215512345678', profile: { name: 'Ana' } },
    { wa_id: SENDER, profile: { name: 'Noa L.' } },
  ]
  const two = payload({ contacts, messages: [from(SENDER, 'a'), from('525512345678', 'b')] })
  const names = (body: unknown) =>
    readWebhook(body, NOW)
      .get(ACCOUNT)
      ?.map((report) => report.kind === 'inbound' && report.display_name)
  assert.deepEqual(names(two), ['Noa L.', null])
  assert.deepEqual(names(payload({ contacts: contacts.slice(0, 1), messages: [from('525512345678', 'b')] })), ['Ana'])
})

test('reports of several accounts and entries come grouped, in their order', () => {
  const [one, two, three] = [
    inbound({ type: 'text', text: { body: '1' } }),
    receipt({ status: 'read' }),
    inbound({ id: 'c' }),
  ]
  const elsewhere = JSON.parse(JSON.stringify(two).replace(ACCOUNT, '777'))
  const entries = [one, elsewhere, two, three].flatMap(({ entry }) => entry)
  const byAccount = readWebhook({ object: 'whatsapp_business_account', entry: entries }, NOW)
  assert.deepEqual([...byAccount.keys()], [ACCOUNT, '777'])
  assert.deepEqual(
    byAccount.get(ACCOUNT)?.map(({ platform_message_id }) => platform_message_id),
    ['wamid.in1', 'wamid.out1', 'c'],
  )
  assert.deepEqual(
    byAccount.get('777')?.map(({ kind, account_id }) => [kind, account_id]),
    [['receipt', '777']],
  )
})

test('fields other than messages are not read', () => {
  const { value } = { value: { messages: [{ from: SENDER, id: 'a', type: 'text' }] } }
  for (const field of ['smb_message_echoes', 'history', 'message_template_status_update', '']) {
    assert.equal(readWebhook(payload(value, field), NOW).size, 0)
  }
  assert.equal(readWebhook({ ...payload(value), object: 'page' }, NOW).size, 0)
  assert.equal(readWebhook(payload({ ...value, metadata: {} }), NOW).size, 0)
})

test('a time that is missing or impossible is the time of arrival', () => {
  const at = (timestamp: unknown) => only(inbound({ type: 'text', timestamp }))?.at
  assert.equal(at('1783837721'), SENT_ISO)
  assert.equal(at(1783837721), SENT_ISO)
  for (const timestamp of [undefined, null, '', '0', 'x', '99999999999', '1e9', -1, 1e300, {}, '1783837721.5']) {
    assert.equal(at(timestamp), '2026-07-12T06:29:00Z', String(timestamp))
  }
})

test('texts are cut to the contract’s limits at whole characters, and characters that cannot be stored are removed', () => {
  const long = only(inbound({ type: 'text', text: { body: '👋'.repeat(MAX.message + 5) } }))
  assert.equal(long?.kind === 'inbound' && long.text, '👋'.repeat(MAX.message))
  const odd = only(inbound({ type: 'text', text: { body: 'a\0b\ud83dc' } }))
  assert.equal(odd?.kind === 'inbound' && odd.text, 'ab\ufffdc')
  const empty = only(inbound({ type: 'text', text: { body: '\0' } }))
  assert.equal(empty?.kind === 'inbound' && empty.text, null)
})

function assertWithinBounds(report: PlatformReport): void {
  const texts: [unknown, number][] =
    report.kind === 'receipt'
      ? [[report.reason, MAX.failure_reason]]
      : [
          [report.text, MAX.message],
          [report.display_name, MAX.name],
          [report.media?.type ?? null, MAX.content_type],
          [report.media?.file_name ?? null, MAX.file_name],
        ]
  for (const [text, max] of texts) {
    if (text === null) continue
    assert.ok(typeof text === 'string' && text !== '' && Array.from(text).length <= max)
    assert.ok(text.isWellFormed() && !text.includes('\0'))
  }
  assert.match(report.at, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.match(report.platform_message_id, /^[\x21-\x7e]{1,255}$/)
  assert.match(report.account_id, /^\d+$/)
  if (report.kind === 'receipt') {
    assert.ok(receiptStatuses.includes(report.status))
    assert.match(report.message_id ?? 'out_1', /^out_\d+$/)
  } else {
    assert.ok(messageTypes.includes(report.type))
    assert.match(report.from_phone, /^\+[1-9]\d{3,14}$/)
    assert.match(report.media?.id ?? '1', /^[\w-]{1,128}$/)
    assert.match(report.replied_to_platform_id ?? 'x', /^[\x21-\x7e]{1,255}$/)
  }
}

function readChecked(body: unknown): number {
  let count = 0
  for (const [account_id, reports] of readWebhook(body, NOW)) {
    assert.ok(reports.length > 0)
    for (const report of reports) {
      assert.equal(report.account_id, account_id)
      assertWithinBounds(report)
      count += 1
    }
  }
  return count
}

const corpus = [
  ...Object.values(messages).map(({ sent }) => inbound(sent)),
  ...Object.values(receipts).map(({ sent }) => receipt(sent)),
].map((body) => JSON.parse(JSON.stringify(body)))

/** Any JSON, long texts, texts with half characters, odd names and odd numbers. */
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) },
  fc.string({ unit: anyCharacter, minLength: 200, maxLength: 9000 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 1e308, -0, Number.MAX_SAFE_INTEGER + 1, '\0', '\ud800'),
)

/** The paths of all values inside a value. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

test('for any JSON nothing is thrown, and everything reported keeps its limits', () => {
  fc.assert(
    fc.property(anything, (body) => void readChecked(body)),
    { numRuns: 500 },
  )
})

const BODIES = sized({ everyday: 900, long: 3000 })

test('after replacing any part by any value, nothing is thrown, and everything reported keeps its limits', () => {
  let count = 0
  const change = fc.tuple(fc.nat(), anything)
  fc.assert(
    fc.property(fc.constantFrom(...corpus), fc.array(change, { minLength: 1, maxLength: 3 }), (body, changes) => {
      const changed = changes.reduce<unknown>((whole, [which, by]) => {
        const paths = pathsOf(whole)
        return replaced(whole, paths[which % paths.length] ?? [], by)
      }, body)
      count += readChecked(changed)
    }),
    { numRuns: BODIES },
  )
  assert.ok(count > BODIES / 10, `only ${count} reports were told`)
})

test('the largest body with any content is read within two seconds of work', () => {
  const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
  const message = (i: number) => ({ from: SENDER, id: `w${i}`, type: 'text', text: { body: 'x' } })
  const contacts = many(20_000, (i) => ({ wa_id: `${i}`, profile: { name: 'x' } }))
  const shared = many(20_000, () => ({ name: { formatted_name: 'x'.repeat(40) }, phones: [{ phone: '1' }] }))
  const [{ changes }] = payload({ messages: [message(0)] }).entry as [{ changes: unknown[] }]
  const bodies = [
    payload({ contacts, messages: many(20_000, message) }),
    payload({ messages: [{ ...message(0), type: 'contacts', contacts: shared }] }),
    { object: 'whatsapp_business_account', entry: [{ changes: many(15_000, () => changes[0]) }] },
    payload({ messages: [{ ...message(0), text: { body: ' '.repeat(3_000_000) } }] }),
    payload({ messages: [{ ...message(0), type: 'location', location: { name: `${' '.repeat(3_000_000)}x` } }] }),
  ]
  for (const body of bodies) {
    const before = process.cpuUsage()
    readWebhook(body, NOW)
    assert.ok(process.cpuUsage(before).user < 2_000_000)
  }
})
