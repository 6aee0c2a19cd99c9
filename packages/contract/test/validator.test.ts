// The validator: the refusals of every schema of the contract, their words, and the changes to a value.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Query } from '../src/analytics/query.ts'
import { bodyFault } from '../src/findings.ts'
import type { JsonSchema } from '../src/json-schema.ts'
import type { Operation } from '../src/operation.ts'
import { ChatMessageRequest } from '../src/operations/chat.ts'
import { leadsCreate } from '../src/operations/leads.ts'
import { PaymentRequest } from '../src/operations/payments.ts'
import { webhooksReplay } from '../src/operations/webhooks.ts'
import { allOperations } from '../src/operations.ts'
import { LeadRequest } from '../src/resources/lead.ts'
import { WebhookRequest } from '../src/resources/webhook.ts'
import { exampleOf, list, nameOf, strictObject, type TSchema, Type, text } from '../src/schema.ts'
import { validatorOf } from '../src/validator.ts'

const about = { country: 'IL' }

/** `place code` of each finding. */
function findings(schema: TSchema, value: unknown): string[] {
  return validatorOf(schema)(value, about).map(({ place, code }) => `${place} ${code}`)
}

function detail(schema: TSchema, value: unknown): string | undefined {
  return validatorOf(schema)(value, about)[0]?.detail
}

interface Written {
  operation: Operation
  schema: TSchema
  example: () => Record<string, unknown>
}

/** Every operation with a body, and an accepted body. */
const written = allOperations.flatMap((operation): Written[] => {
  const { body: schema, example } = operation
  if (!schema) return []
  const body = (example.body ?? (nameOf(schema) ? exampleOf(schema) : {})) as Record<string, unknown>
  return [{ operation, schema, example: () => structuredClone(body) }]
})

const propertiesOf = (schema: TSchema) => Object.entries((schema as unknown as JsonSchema).properties ?? {})

const WRONG_TYPE: Record<string, unknown> = {
  string: 5,
  number: '5',
  integer: '5',
  boolean: 'true',
  array: {},
  object: [],
}

for (const { operation, schema, example } of written) {
  describe(operation.id, () => {
    test('accepts its example', () => assert.deepEqual(findings(schema, example()), []))

    test('refuses anything but an object, once', () => {
      for (const value of [null, 5, 'text', [], true]) assert.deepEqual(findings(schema, value), [' type'])
    })

    test('reports an unknown field by its name', () => {
      assert.deepEqual(findings(schema, { ...example(), card_number: '4111' }), ['/card_number unknown'])
      assert.deepEqual(findings(schema, { ...example(), constructor: null }), ['/constructor unknown'])
    })

    test('reports a field of the wrong type once, at its place', () => {
      for (const [name, { type }] of propertiesOf(schema)) {
        const [main = ''] = [type ?? []].flat()
        const found = validatorOf(schema)({ ...example(), [name]: WRONG_TYPE[main] }, about)
        assert.ok(
          found.some(({ place, code }) => place === `/${name}` && code === 'type'),
          name,
        )
        assert.equal(found.filter(({ place }) => place === `/${name}`).length, 1, name)
      }
    })

    test('reports a missing required field', () => {
      for (const name of (schema as unknown as JsonSchema).required ?? []) {
        const { [name]: _, ...rest } = example()
        assert.deepEqual(findings(schema, rest), [`/${name} required`])
      }
    })

    test('refuses an unreadable phone, and reads those of the clinic’s country', () => {
      for (const [name, { format }] of propertiesOf(schema)) {
        if (format !== 'phone') continue
        const places = (value: string) =>
          findings(schema, { [name]: value }).filter((found) => found.startsWith(`/${name} `))
        for (const phone of ['call me', '1', '+', '12']) assert.deepEqual(places(phone), [`/${name} format`], phone)
        for (const phone of ['050-123 4567', '+972501234567', '972501234567'])
          assert.deepEqual(places(phone), [], phone)
      }
    })
  })
}

test('an operation takes a phone in a body', () => {
  const named = written.flatMap(({ schema }) => propertiesOf(schema)).filter(([, { format }]) => format === 'phone')
  assert.deepEqual(
    named.map(([name]) => name),
    ['to_phone'],
  )
})

describe('amounts', () => {
  test('have at most two decimals, exactly', () => {
    const payment = (amount: number) => findings(PaymentRequest, { amount, method_type: 'cash' })
    for (const amount of [0.01, 0.07, 1.1, 4.35, 350.5, 350.55, 1234.56, 999999.99, 1_000_000]) {
      assert.deepEqual(payment(amount), [], String(amount))
    }
    for (const amount of [1e-9, 0.001, 0.009, 350.555, 1.005, 999999.999]) {
      assert.deepEqual(payment(amount), ['/amount decimals'], String(amount))
    }
    for (const amount of [0, -5, 1_000_000.01])
      assert.deepEqual(payment(amount), ['/amount out_of_range'], String(amount))
  })

  test('every cent up to a thousand is valid', () => {
    for (let minor = 1; minor <= 100_000; minor++) {
      assert.deepEqual(findings(PaymentRequest, { amount: minor / 100, method_type: 'cash' }), [], String(minor))
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
      ...{ ...lead, phone: '0501234567', attribution: { utm_source: 'a', clicks: 0, paid: false } },
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

  test('either may be unreadable while the other is readable', () => {
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
    assert.throws(() => validatorOf(text(5, { format: 'phnoe' })), /there is no format phnoe/)
  })
})

describe('findings', () => {
  test('a value that fits no branch of a union is one finding, and one that fits a branch is reported in its words', () => {
    const query = (dimension: unknown) =>
      validatorOf(Query)({ dataset: 'treatments', measures: ['a'], dimensions: ['ok', dimension] }, about)
    for (const wrong of [5, null, true, ['a']])
      assert.deepEqual(query(wrong), [
        { place: '/dimensions/1', code: 'type', detail: 'must be a string or an object' },
      ])
    assert.deepEqual(
      query({ field: 'a', grain: 'eon' }).map(({ place, code }) => [place, code]),
      [['/dimensions/1/grain', 'not_allowed']],
    )
    assert.deepEqual(
      query('').map(({ place, code }) => [place, code]),
      [['/dimensions/1', 'too_short']],
    )
    assert.deepEqual(query({ field: 'a', grain: 'day' }), [])
  })

  test('each of several wrong items of a union is reported', () => {
    const dimensions = Array.from({ length: 12 }, (_, i) => (i % 2 ? 'ok' : i))
    assert.deepEqual(
      findings(Query, { dataset: 'treatments', measures: ['a'], dimensions }),
      [0, 2, 4, 6, 8, 10].map((i) => `/dimensions/${i} type`),
    )
  })

  test('there are at most 1,000 of them, whatever the value holds', () => {
    const startedAt = performance.now()
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))
    assert.equal(validatorOf(WebhookRequest)(many, about).length, 1000)
    const types = Array.from({ length: 200_000 }, () => 5)
    assert.ok(findings(WebhookRequest, { url: 'https://example.com', event_types: types }).length <= 1000)
    assert.ok(performance.now() - startedAt < 2000)
  })

  test('they quote no value, and show strange names in a harmless form', () => {
    const found = validatorOf(LeadRequest)(
      { first_name: 'secret-1'.repeat(90), phone: 'secret-2'.repeat(90), source: 'secret-3' },
      about,
    )
    assert.equal(found.length, 3)
    assert.ok(!JSON.stringify(found).includes('secret'))
    const name = `${'é/~\u0000'.repeat(40)}\ud800`
    const [finding = assert.fail()] = validatorOf(strictObject({}))({ [name]: 1 }, about)
    assert.ok(finding.place.isWellFormed() && !finding.place.includes('\0') && finding.place.length < 130)
    assert.match(JSON.stringify(bodyFault(finding)), /"pointer":"#\/[%A-Z0-9a-z~]+"/)
  })

  test('places of nested values are JSON pointers', () => {
    const schema = strictObject({ 'a/b': list(strictObject({ '~x': Type.Optional(text(1)) }), 3) })
    assert.deepEqual(findings(schema, { 'a/b': [{}, { '~x': 'long' }] }), ['/a~1b/1/~0x too_long'])
  })
})

test('defaults are filled in, in place', () => {
  const message = { patient_id: 'p1', text: 'Hello' }
  assert.deepEqual(findings(ChatMessageRequest, message), [])
  assert.deepEqual(message, { patient_id: 'p1', text: 'Hello', allow_template: true })
  const replay = { since: '2026-07-12T00:00:00Z' }
  assert.deepEqual(findings(webhooksReplay.body as TSchema, replay), [])
  assert.deepEqual(replay, { since: '2026-07-12T00:00:00Z', only: 'failed' })
})

test('a schema is compiled once', () => {
  assert.equal(validatorOf(LeadRequest), validatorOf(LeadRequest))
})
