// The published forms of the contract's own string formats: other validators accept what we accept and refuse plain mistakes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { default as addFormats } from 'ajv-formats'
import { isDate } from '../src/input/formats.ts'
import { validatorOf } from '../src/input/validator.ts'
import { publishedSchema } from '../src/projections/published-schema.ts'
import { text } from '../src/schema/schema.ts'

const ajv = new Ajv2020()
addFormats.default(ajv)

const corpus: Record<string, { accepted: string[]; refused: string[] }> = {
  'day-or-instant': {
    accepted: [
      '2026-07-12',
      '2026-07-12T09:30:00Z',
      '2026-07-12T09:30:00+03:00',
      '2026-07-12T09:30+03:00',
      '2026-07-12T09:30:00.123456-04:00',
      ...['0001-01-01', '9999-12-31', '0004-02-29', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59Z'],
    ],
    refused: [
      ...['', '12.7.2026', '2026-07-12T09:30:00', '2026-07-12 09:30:00Z', 'today'],
      ...['0000-01-01', '10000-01-01', '1900-02-29', '0100-02-29'],
    ],
  },
  'recorded-instant': {
    accepted: ['2026-07-12', '2026-07-12T09:30:00+03:00'],
    refused: ['', '12.7.2026', '2026-07-12T09:30:00', 'today'],
  },
  'day-of-year': {
    accepted: ['01-01', '02-29', '03-14', '12-31'],
    refused: ['', '02-30', '13-01', '3-14', '2026-03-14', '00-10', '04-31'],
  },
  'time-of-day': { accepted: ['00:00', '09:30', '24:00'], refused: ['', '9:30', '24:01', '12:60', '12:00:00'] },
  instant: { accepted: ['2026-07-12T09:30:00Z', '2026-07-12T09:30:00.123+03:00'], refused: ['2026-07-12', 'now'] },
  phone: {
    accepted: ['050-123 4567', '+972501234567', '972501234567', '(04) 812-3456'],
    refused: ['', 'call me', '050-123-4567;ext=1', "'1' or '1'='1"],
  },
  'international-phone': { accepted: ['+972501234567'], refused: ['', '050-123-4567', '+0501234567', '972501234567'] },
  currency: { accepted: ['ILS', 'KWD'], refused: ['', 'ils', 'IL', 'ILSS', '₪'] },
  country: { accepted: ['IL', 'US'], refused: ['', 'il', 'ISR', 'I1'] },
  'message-id': { accepted: ['in_1', 'out_4711'], refused: ['', 'in_', 'in_a', '4711', 'out-1'] },
  digits: { accepted: ['15550001111'], refused: ['', '1 555', '+1555'] },
  'webhook-url': {
    accepted: ['https://crm.example.com/hooks'],
    refused: ['http://crm.example.com/hooks', 'ftp://x.example', 'crm.example.com'],
  },
  ids: { accepted: ['haifa', 'haifa,tel-aviv'], refused: ['', 'haifa,', ',', 'haifa,,tel-aviv'] },
  'event-types': {
    accepted: ['call.updated', 'call.completed,chat.message.read'],
    refused: ['', 'call.completed,', 'call completed'],
  },
}

for (const [format, { accepted, refused }] of Object.entries(corpus)) {
  test(`the published form of ${format} accepts what the contract accepts and refuses plain mistakes`, () => {
    const schema = publishedSchema(text(200, { format }), () => undefined)
    assert.notEqual(schema.format, format)
    const check = ajv.compile(schema)
    const own = validatorOf(text(200, { format }))
    for (const value of accepted) assert.ok(check(value) && own(value, { country: 'IL' }).length === 0, value)
    for (const value of refused) assert.ok(!check(value) && own(value, { country: 'IL' }).length > 0, value)
  })
}

test('the published pattern of a day matches exactly the existing days', () => {
  const { pattern = '' } = publishedSchema(text(10, { format: 'date' }), () => undefined)
  const published = new RegExp(pattern, 'u')
  const wrong: string[] = []
  for (let year = 1840; year <= 2210; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const written = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
        if (published.test(written) !== isDate(written)) wrong.push(written)
      }
    }
  }
  assert.deepEqual(wrong, [])
})
