// The validator's rules for single fields: amounts, choices of fields, a lead's contacts, formats.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodyFault } from '../src/input/findings.ts'
import { validatorOf } from '../src/input/validator.ts'
import { ChatMessageRequest } from '../src/operations/chat.ts'
import { leadsCreate } from '../src/operations/leads.ts'
import { PaymentRequest } from '../src/operations/payments.ts'
import { LeadRequest } from '../src/resources/lead.ts'
import { WebhookRequest } from '../src/resources/webhook.ts'
import { text } from '../src/schema/schema.ts'
import { about, detail, findings } from './schema-findings.ts'

describe('amounts', () => {
  test('have at most three decimals, exactly', () => {
    const payment = (amount: number) => findings(PaymentRequest, { amount, method_type: 'cash' })
    for (const amount of [0.01, 0.07, 1.1, 4.35, 350.5, 350.55, 0.001, 0.009, 1.005, 350.555, 999999.999, 1_000_000]) {
      assert.deepEqual(payment(amount), [], String(amount))
    }
    for (const amount of [1e-9, 0.0001, 0.0009, 350.5555, 1.0005, 999999.9999]) {
      assert.deepEqual(payment(amount), ['/amount decimals'], String(amount))
    }
    for (const amount of [0, -5, 1_000_000.01])
      assert.deepEqual(payment(amount), ['/amount out_of_range'], String(amount))
  })

  test('every thousandth up to a hundred is valid', () => {
    for (let thousandths = 1; thousandths <= 100_000; thousandths++) {
      const body = { amount: thousandths / 1000, method_type: 'cash' }
      assert.deepEqual(findings(PaymentRequest, body), [], String(thousandths))
    }
  })

  test('the whole range is reported', () => {
    assert.equal(detail(PaymentRequest, { amount: 0, method_type: 'cash' }), 'must be above 0 and at most 1000000')
  })
})

describe('choices of fields', () => {
  const lead = { first_name: 'Testa', source: 'website' }

  test('a lead has a phone or an email', () => {
    assert.deepEqual(validatorOf(LeadRequest)({ ...lead }, about), [
      { place: '', code: 'required', detail: 'must have at least one of phone, email' },
    ])
    for (const contact of [{ phone: '0501234567' }, { email: 'a@b.co' }, { phone: '0501234567', email: 'a@b.co' }])
      assert.deepEqual(findings(LeadRequest, { ...lead, ...contact }), [])
  })

  test('a message has one recipient and one content', () => {
    const one = { patient_id: 'p1', text: 'Hello' }
    assert.deepEqual(findings(ChatMessageRequest, { ...one }), [])
    assert.deepEqual(validatorOf(ChatMessageRequest)({}, about), [
      { place: '', code: 'required', detail: 'must have exactly one of conversation_id, patient_id, to_phone' },
      { place: '', code: 'required', detail: 'must have exactly one of text, template' },
    ])
    assert.deepEqual(findings(ChatMessageRequest, { ...one, to_phone: '0501234567' }), [' too_many'])
    assert.deepEqual(findings(ChatMessageRequest, { ...one, template: { name: 'a', language: 'he' } }), [' too_many'])
  })

  test('the empty fragment points at the whole body', () => {
    const [fault] = validatorOf(LeadRequest)({ ...lead }, about).map(bodyFault)
    assert.deepEqual(fault, { pointer: '#', code: 'required', detail: 'must have at least one of phone, email' })
  })
})

describe('empty fields of a lead', () => {
  const lead = { first_name: 'Testa', source: 'website' }
  const accepted = (value: Record<string, unknown>) => {
    assert.deepEqual(findings(LeadRequest, value), [])
    return value
  }

  test('null and blank texts in optional fields are removed before all checks', () => {
    const empty = { phone: '', last_name: null, note: '   ', external_id: '', attribution: null, meta: null }
    assert.deepEqual(accepted({ ...lead, ...empty, email: 'a@b.co' }), { ...lead, email: 'a@b.co' })
  })

  test('empty contacts count as absent', () => {
    for (const none of ['', '  ', null]) {
      assert.deepEqual(findings(LeadRequest, { ...lead, phone: none, email: none }), [' required'])
    }
  })

  test('null and blank values are removed from attribution and meta, and deeper ones stay as sent', () => {
    const attribution = { utm_source: 'a', gclid: null, fbclid: '', ttclid: ' \u200b', clicks: 0, paid: false }
    const meta = { form: 7, page: null, campaign: '', nested: { a: null, b: '' }, list: [null] }
    assert.deepEqual(accepted({ ...lead, phone: '0501234567', attribution, meta }), {
      ...lead,
      phone: '0501234567',
      attribution: { utm_source: 'a', clicks: 0, paid: false },
      meta: { form: 7, nested: { a: null, b: '' }, list: [null] },
    })
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, n < 30 ? n : null]))
    accepted({ ...lead, phone: '0501234567', attribution: many })
  })

  test('required fields stay and are refused', () => {
    assert.deepEqual(findings(LeadRequest, { first_name: '', source: null, phone: '0501234567' }), [
      '/first_name too_short',
      '/source type',
    ])
    assert.deepEqual(findings(LeadRequest, { first_name: ' ', source: '', phone: '0501234567' }), [
      '/first_name format',
      '/source not_allowed',
    ])
  })

  test('phone and email are kept as sent, trimmed', () => {
    const sent = { ...lead, phone: ' 050-123 4567 ', email: '\tA@b.co ' }
    assert.deepEqual(accepted(sent), { ...lead, phone: '050-123 4567', email: 'A@b.co' })
  })

  test('a phone or email is at most 254 characters', () => {
    for (const name of ['phone', 'email']) {
      accepted({ ...lead, [name]: 'a'.repeat(254) })
      assert.deepEqual(findings(LeadRequest, { ...lead, [name]: 'a'.repeat(255) }), [`/${name} too_long`])
    }
  })
})

describe('the phone and email of a lead', () => {
  const faults = (body: unknown) =>
    (leadsCreate.checkBody?.(body, () => true, { country: 'IL' }) ?? []).map(({ place, code }) => `${place} ${code}`)

  test('one contact may be unreadable if the other is readable', () => {
    const [phone, email] = ['052-765-4321', 'a@b.co']
    for (const bad of ['call me', '555', 'a'.repeat(254)]) assert.deepEqual(faults({ phone: bad, email }), [], bad)
    for (const bad of ['a@', 'none']) assert.deepEqual(faults({ phone, email: bad }), [], bad)
    assert.deepEqual(faults({ phone: 'call me', email: 'none' }), ['/phone format', '/email format'])
    assert.deepEqual(faults({ phone: 'call me' }), ['/phone format'])
    assert.deepEqual(faults({ email: 'none' }), ['/email format'])
  })

  test('only the schema reports a value that is absent or not text', () => {
    for (const body of [{}, { phone: 5 }, { email: [] }, null, []]) assert.deepEqual(faults(body), [])
  })

  test('an email has one @ with something on both sides and no spaces', () => {
    for (const email of ['a', '@', 'a@', '@b', '\u200e@b', 'a@b@c', 'a b@c.co', 'a@b\u0007.co'])
      assert.deepEqual(faults({ email }), ['/email format'], email)
    for (const email of ['a@b', "o'brien+x@sub.example.co.il", 'דנה@דוגמה.קום']) assert.deepEqual(faults({ email }), [])
  })
})

describe('formats', () => {
  const refused = (format: string, value: string) => findings(text(3000, { format }), value).length > 0

  test('event types are known ones, and the hint lists them', () => {
    for (const value of ['call.updated', 'call.updated,chat.message.read'])
      assert.ok(!refused('event-types', value), value)
    for (const value of ['', ',', 'call.updated,', 'call.updted', 'toString', 'call.updated, chat.message.read'])
      assert.ok(refused('event-types', value), value)
    assert.match(
      detail(text(300, { format: 'event-types' }), 'x') ?? '',
      /comma-separated list of: appointment\.created, /,
    )
  })

  test('a webhook address is https and spelled as it is read', () => {
    const good = [
      'https://crm.example.com/hooks?a=1&b=%20',
      'https://crm.example.com',
      'https://CRM.example.com:8443/x',
      'https://crm.example.com:443/',
      'https://203.0.113.7/x',
      'https://[2001:db8::1]/x',
      'https://xn--4dbcagdahymbxekheh6e0a7fei0b.example/x',
      'https://crm.example.com/x@y',
      "https://crm.example.com/a;b=(c)'*!,$/~d?e=/?:@&+",
      'https://my_crm.example.com/x',
    ]
    for (const url of good) assert.ok(!refused('webhook-url', url), url)
    const bad = [
      'http://crm.example.com/x',
      'http://127.0.0.1/x',
      'https:example.com',
      'HTTPS://example.com',
      'https:/example.com',
      'https:///example.com',
      'https:\\\\example.com',
      'https://example.com\\@other.example',
      'https://user:pass@example.com',
      'https://@example.com',
      'https://example.com/#',
      'https://example.com/#a',
      ' https://example.com',
      'https://example.com/a b',
      'https://example.com/{a}',
      'https://example.com?a[]=1',
      'https://example.com/%zz',
      'https://exam\tple.com',
      'https://example.com/\n',
      'https://example.com/\u0000',
      'https://exämple.com/',
      'https://%65xample.com/',
      'https://0x7f000001/',
      'https://127.1/',
      'https://2130706433/',
      'https://example.com:99999/',
      'https://[::ffff:0:0:0:0:1]x/',
      'https://',
      'https://?a',
      'javascript:alert(1)',
    ]
    for (const url of bad) assert.ok(refused('webhook-url', url), JSON.stringify(url))
    const longest = `https://example.com/${'a'.repeat(2028)}`
    assert.deepEqual(findings(WebhookRequest, { url: longest }), [])
    assert.deepEqual(findings(WebhookRequest, { url: `${longest}a` }), ['/url too_long'])
  })

  test("a recorded instant is within the columns' range, and so is a date alone", () => {
    const good = ['1900-01-02', '2199-12-30', '2026-07-12T09:30:00+03:00', '2024-02-29', '2026-07-12T09:30Z']
    for (const value of good) assert.ok(!refused('recorded-instant', value), value)
    const bad = [
      '1900-01-01',
      '2199-12-31',
      '2023-02-29',
      '2026-07-12T09:30:00',
      '2026-07-12T24:00:00Z',
      '2026-07-12T09:30:00+16:00',
    ]
    for (const value of bad) assert.ok(refused('recorded-instant', value), value)
    assert.ok(refused('instant', '2026-07-12') && !refused('instant', '2026-07-12T09:30:00.123456789-04:30'))
  })

  test('a schema with an unknown format does not compile', () => {
    assert.throws(() => validatorOf(text(5, { format: 'phnoe' }))('', about), /there is no format phnoe/)
  })
})
