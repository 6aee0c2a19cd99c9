// Strict input: a request that the contract does not allow is a 400 that names every fault. It is never a 500, and it is never
// read as something else.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations, type Operation } from '@clinic-data/contract'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { ask, pathOf, servedClinic } from '@clinic-data/testing/run/test-service'
import { requiredQuery, validIds, validOptions, validPath } from './valid-request.ts'

const { service, clinic } = await servedClinic()

/** Sends exactly this query string, in addition to the required parameters. */
async function faultsOf(operation: Operation, search: string): Promise<{ status: number; parameters: string[] }> {
  const path = await validPathOf(operation, search)
  const { status, json } = await ask(service, clinic.key, path, validOptions(operation))
  return { status, parameters: (json.errors ?? []).map((fault: { parameter: string }) => fault.parameter) }
}

function boundFormat({ query }: Operation): string | undefined {
  return (query.properties.from as JsonSchema | undefined)?.format
}

async function validPathOf(operation: Operation, search: string): Promise<string> {
  const required = new URLSearchParams(await requiredQuery(service, clinic, operation)).toString()
  return `${pathOf(operation, await validIds(service, clinic, operation))}?${[required, search].filter(Boolean).join('&')}`
}

const WRONG: Record<string, readonly string[]> = {
  integer: ['1e1', '0x10', '%205', '5.0', '+5', '', '-1', '9007199254740993', 'NaN', '01'],
  number: ['1e1', '0x10', '%205', '+5', '', '-1', 'NaN', '01', '.5', '5.', '0.0001', '1000000001', '9007199254740993'],
  boolean: ['1', 'TRUE', 'yes', ''],
  enum: ['nonsense', 'CONCISE', '', 'null'],
  date: ['2026-02-30', '2026-1-1', '20260101', '0000-01-01', '9999-12-31', 'today', '2026-01-01T00:00:00Z'],
  instant: [
    '2026-07-12T09:30:00',
    '2026-07-12',
    '2026-13-01T00:00:00Z',
    '2026-07-12T25:00:00Z',
    '99999-01-01T00:00:00Z',
    '1',
  ],
  'day-of-year': ['02-30', '3-14', '13-01', '2026-03-14', '0314', '', '%00'],
  'day-or-instant': ['2026-07-12T09:30:00', '2026-02-30', 'yesterday', '2026-07-12T09:30:60Z', '12026-01-01'],
  phone: ['abc', '1', "' or 1=1 --", '+'],
  text: ['', '%00', 'x'.repeat(300), '%ff'],
}

function wrongFor(
  schema: { type?: string; format?: string; enum?: unknown; minimum?: number; maximum?: number },
  name: string,
): readonly string[] {
  if (name === 'cursor') return ['abc', 'AAAA', '%00', 'x'.repeat(2000), '1']
  if (schema.type === 'integer') {
    const { minimum, maximum } = schema
    assert.ok(minimum !== undefined && maximum !== undefined, `${name} has no bounds`)
    return [...(WRONG.integer ?? []), String(minimum - 1), String(maximum + 1)]
  }
  return WRONG[schema.enum ? 'enum' : (schema.format ?? '')] ?? WRONG[schema.type ?? ''] ?? WRONG.text ?? []
}

for (const operation of allOperations) {
  for (const [name, schema] of Object.entries(operation.query.properties)) {
    test(`${operation.id} refuses every wrong value of ${name}, and names it`, async () => {
      for (const value of wrongFor(schema as object, name)) {
        const required = await requiredQuery(service, clinic, operation)
        const { status, parameters } =
          name in required
            ? await replaced(operation, required, name, value)
            : await faultsOf(operation, `${name}=${value}`)
        assert.deepEqual([status, parameters], [400, [name]], `${name}=${value.slice(0, 40)}`)
      }
    })
  }

  if (boundFormat(operation) === 'day-or-instant') {
    test(`${operation.id} takes the first and the last day of all as a period that holds every row`, async () => {
      const during = (from: string, to: string) => validPathOf(operation, `from=${from}&to=${to}`)
      const whole = await ask(service, clinic.key, await during('1900-01-02', '2199-12-30'), validOptions(operation))
      assert.equal(whole.status, 200)
      for (const [from, to] of [
        ['0001-01-01', '9999-12-31'],
        ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
        ['0001-01-01', '9999-12-31T00:00:00Z'],
      ] as const) {
        const { status, json } = await ask(service, clinic.key, await during(from, to), validOptions(operation))
        assert.deepEqual([status, json.data], [200, whole.json.data])
      }
    })
  }

  test(`${operation.id} reports an unknown parameter and a repeated one together`, async () => {
    const { status, parameters } = await faultsOf(operation, 'nonsense=1&card_number=2&nonsense=3')
    assert.equal(status, 400)
    assert.deepEqual(new Set(parameters), new Set(['nonsense', 'card_number']))
  })

  if ('id' in operation.ids) {
    test(`${operation.id} answers 404 to any malformed id`, async () => {
      for (const id of [
        '%00',
        '%ff',
        'x'.repeat(129),
        'x'.repeat(1000),
        '%F0%9F%98%80',
        "';drop table patient;--",
        '..%2f..',
        '%20',
      ]) {
        const { status, json } = await ask(
          service,
          clinic.key,
          operation.path.replace('{id}', id),
          validOptions(operation),
        )
        assert.equal(status, 404, id.slice(0, 40))
        assert.match(json.type, /\/problems\/not-found$/)
      }
    })
  }
}

const fieldsOfPhones: string[] = []

for (const operation of allOperations) {
  const { body: schema, example } = operation
  if (!schema) continue
  const sent = () => structuredClone(example.body) as Record<string, unknown>
  const posting = async (body: unknown, headers: Record<string, string> = {}) =>
    ask(service, clinic.key, await validPath(service, clinic, operation), { method: operation.method, headers, body })
  const pointersOf = async (body: unknown) => {
    const { status, json } = await posting(body)
    return [status, (json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)]
  }

  test(`${operation.id} names every field that is unknown, mistyped or missing`, async () => {
    assert.deepEqual(await pointersOf({ ...sent(), card_number: '4111', cvv: null }), [400, ['#/card_number', '#/cvv']])
    const properties = Object.entries(schema.properties as Record<string, JsonSchema>)
    for (const [name, { type }] of properties) {
      const wrong = [type].flat().includes('string') ? 5 : 'text'
      const [status, pointers] = await pointersOf({ ...sent(), [name]: wrong })
      assert.ok(status === 400 && pointers.includes(`#/${name}`), name)
    }
    for (const name of (schema as unknown as JsonSchema).required ?? []) {
      const { [name]: _, ...rest } = sent()
      assert.deepEqual(await pointersOf(rest), [400, [`#/${name}`]])
    }
  })

  const phones = Object.entries(schema.properties as Record<string, JsonSchema>).flatMap(([name, { format }]) =>
    format === 'phone' ? [name] : [],
  )
  fieldsOfPhones.push(...phones)
  for (const name of phones) {
    test(`${operation.id} refuses an unreadable ${name}, and names its field`, async () => {
      for (const phone of ['call me', '1', '+', '12']) {
        const [status, pointers] = await pointersOf({ ...sent(), [name]: phone })
        assert.ok(status === 400 && pointers.includes(`#/${name}`), phone)
      }
    })
  }

  test(`${operation.id} accepts only JSON in UTF-8 of bounded size and depth, and stores nothing of other bodies`, async () => {
    for (const [body, status, headers] of [
      ['{}', 415, { 'content-type': 'text/plain' }],
      ['{}', 415, { 'content-type': 'application/json; charset=latin1' }],
      ['{}', 415, { 'content-encoding': 'gzip' }],
      ['', 415, { 'content-type': '' }],
      [`"${'x'.repeat(1024 * 1024)}"`, 413, {}],
      ['{', 400, {}],
      ['[]', 400, {}],
      ['null', 400, {}],
      [`${'['.repeat(20_000)}`, 400, {}],
      ['{"a":"\\u0000"}', 400, {}],
      ['{"a":"\\ud800"}', 400, {}],
      ['{"__proto__":{}}', 400, {}],
    ] as [string, number, Record<string, string>][]) {
      const answer = await posting(body, headers)
      assert.equal(answer.status, status, body.slice(0, 40))
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    }
  })
}

test('a lead that lacks a required field is reported once', async () => {
  const lead = { first_name: 'Testa', source: 'website' }
  for (const contacts of [{}, { phone: '', email: null }, { phone: ' ', email: '' }]) {
    const { status, json } = await ask(service, clinic.key, '/v1/leads', {
      method: 'POST',
      body: { ...lead, ...contacts },
    })
    assert.equal(status, 400)
    assert.deepEqual(json.errors, [
      { pointer: '#', code: 'required', detail: 'must have at least one of phone, email' },
    ])
  }
})

async function replaced(operation: Operation, required: Record<string, string>, name: string, value: string) {
  const rest = Object.entries(required).filter(([other]) => other !== name)
  const search = [...new URLSearchParams(rest).toString().split('&'), `${name}=${value}`].join('&')
  const { status, json } = await ask(service, clinic.key, `${operation.path}?${search}`)
  return { status, parameters: (json.errors ?? []).map((fault: { parameter: string }) => fault.parameter) }
}

test('all faults of a request are reported at once', async () => {
  const { json } = await ask(
    service,
    clinic.key,
    '/v1/appointments?limit=0&from=never&to=x&response_format=whole&cursor=a&nonsense=1',
  )
  assert.deepEqual(
    new Set(json.errors.map((fault: { parameter: string }) => fault.parameter)),
    new Set(['limit', 'from', 'to', 'response_format', 'cursor', 'nonsense']),
  )
  assert.match(json.detail, /^`nonsense` is not known here.* \(and 5 more faults\)\.$/)
})

test('a problem holds at most 50 faults and quotes no submitted value', async () => {
  const search = Array.from({ length: 80 }, (_, i) => `unknown${i}=secret-value`).join('&')
  const { status, json, text } = await ask(service, clinic.key, `/v1/patients?${search}`)
  assert.equal(status, 400)
  assert.equal(json.errors.length, 50)
  assert.ok(!text.includes('secret-value'))
})

test('availability without from, to and branch_id names all three', async () => {
  const { status, json } = await ask(service, clinic.key, '/v1/availability')
  assert.equal(status, 400)
  assert.deepEqual(
    new Set(json.errors.map((fault: { parameter: string }) => fault.parameter)),
    new Set(['from', 'to', 'branch_id']),
  )
})

test('availability covers at most 31 days, both ends included', async () => {
  const { branch_id } = await requiredQuery(
    service,
    clinic,
    allOperations.find(({ id }) => id === 'availability.list') ?? assert.fail(),
  )
  const status = async (from: string, to: string) =>
    (await ask(service, clinic.key, `/v1/availability?from=${from}&to=${to}&branch_id=${branch_id}`)).status
  assert.equal(await status('2026-01-01', '2026-01-31'), 200)
  assert.equal(await status('2026-01-01', '2026-02-01'), 400)
  assert.equal(await status('2026-01-02', '2026-01-01'), 400)
})

test('a period that ends before it begins is refused, in days, instants and both', async () => {
  for (const [from, to, status] of [
    ['2026-07-12', '2026-07-11', 400],
    ['2026-07-12', '2026-07-12', 200],
    ['2026-07-12T00:00:00Z', '2026-07-11T23:00:00Z', 400],
    ['2026-07-12', '2026-07-11T12:00:00Z', 400],
    ['2026-07-12', '2026-07-11T22:00:00Z', 200],
    ['2026-07-12T22:00:00Z', '2026-07-12', 400],
  ] as const) {
    assert.equal(
      (await ask(service, clinic.key, `/v1/appointments?from=${from}&to=${to}`)).status,
      status,
      `${from}..${to}`,
    )
  }
})

test('a plus that arrived as a space is read as a plus', async () => {
  assert.equal((await ask(service, clinic.key, '/v1/appointments?from=2026-07-12T09:30:00+03:00')).status, 200)
  const [patient] = (await ask(service, clinic.key, '/v1/patients?limit=1')).json.data
  const international = `+972${patient.phone.replaceAll(/\D/g, '').replace(/^0|^972/, '')}`
  for (const phone of [international, encodeURIComponent(international), patient.phone]) {
    const { json } = await ask(service, clinic.key, `/v1/patients?phone=${phone}`)
    assert.ok(
      json.data.some(({ id }: { id: string }) => id === patient.id),
      phone,
    )
  }
})

test('the fields that hold a phone are found', () => {
  assert.ok(fieldsOfPhones.includes('to_phone'), fieldsOfPhones.join())
})
