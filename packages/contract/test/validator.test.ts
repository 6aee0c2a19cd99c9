// The validator: the refusals of every schema of the contract, their words, and the changes to a value.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Query } from '../src/analytics/query.ts'
import { bodyFault } from '../src/input/findings.ts'
import { validatorOf } from '../src/input/validator.ts'
import type { Operation } from '../src/operation.ts'
import { ChatMessageRequest } from '../src/operations/chat.ts'
import { webhooksReplay } from '../src/operations/webhooks.ts'
import { allOperations } from '../src/operations.ts'
import { LeadRequest } from '../src/resources/lead.ts'
import { WebhookRequest } from '../src/resources/webhook.ts'
import type { JsonSchema } from '../src/schema/json-schema.ts'
import { exampleOf, list, nameOf, strictObject, type TSchema, Type, text } from '../src/schema/schema.ts'
import { about, detail, findings } from './schema-findings.ts'

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

  test('there are at most 1,000 of them for any value', () => {
    const before = process.cpuUsage()
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))
    assert.equal(validatorOf(WebhookRequest)(many, about).length, 1000)
    const types = Array.from({ length: 200_000 }, () => 5)
    assert.ok(findings(WebhookRequest, { url: 'https://example.com', event_types: types }).length <= 1000)
    // Its own work: other programs may have the processor meanwhile.
    assert.ok(process.cpuUsage(before).user < 2_000_000)
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

describe('a refusal tells the way', () => {
  test('an unknown name gets those that there are', () => {
    const schema = strictObject({ phone: Type.Optional(text(40)), query: Type.Optional(text(40)) })
    assert.equal(detail(schema, { name: 'Levi' }), 'is not known here, but these are: phone, query')
    assert.equal(detail(strictObject({}), { name: 'Levi' }), 'is not known here')
  })

  test('a text that is longer than its short form gets the form', () => {
    const schema = strictObject({ birthday_from: text(5, { format: 'day-of-year' }), name: text(5) })
    const found = validatorOf(schema)({ birthday_from: '2026-03-14', name: 'longer' }, about)
    assert.deepEqual(
      found.map((one) => [one.code, one.detail]),
      [
        ['format', 'must be a day of the year, MM-DD, for example 03-14'],
        ['too_long', 'must have at most 5 characters'],
      ],
    )
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
