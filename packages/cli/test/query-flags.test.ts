// The short forms of a query: their meaning, and that no wrong one is sent.
import assert from 'node:assert/strict'
import test from 'node:test'
import { shortForms } from '@clinic-data/cli/command-line/query-flags'
import fc from 'fast-check'

const read = (field: string, word: string) => shortForms[field]?.(word)

test('each short form means what the specification says', () => {
  const table: [field: string, word: string, value: unknown][] = [
    ['measures', 'net_revenue', 'net_revenue'],
    ['dimensions', 'provider', 'provider'],
    ['dimensions', 'effective_date:month', { field: 'effective_date', grain: 'month' }],
    ['filters', 'provider:in:dr-cohen,dr-levi', { field: 'provider', op: 'in', value: ['dr-cohen', 'dr-levi'] }],
    ['filters', 'provider:not_in:dr-cohen', { field: 'provider', op: 'not_in', value: ['dr-cohen'] }],
    [
      'filters',
      'effective_date:between:2026-01-01..2026-06-30',
      { field: 'effective_date', op: 'between', value: ['2026-01-01', '2026-06-30'] },
    ],
    ['filters', 'name:between:a..b..c', { field: 'name', op: 'between', value: ['a', 'b..c'] }],
    ['filters', 'campaign_name:eq:a:b,c', { field: 'campaign_name', op: 'eq', value: 'a:b,c' }],
    ['filters', 'is_refund:eq:true', { field: 'is_refund', op: 'eq', value: true }],
    ['filters', 'provider:in:007', { field: 'provider', op: 'in', value: ['007'] }],
    ['order', 'net_revenue:desc', { by: 'net_revenue', dir: 'desc' }],
    ['order', 'net_revenue', { by: 'net_revenue', dir: 'asc' }],
  ]
  for (const [field, word, value] of table) assert.deepEqual(read(field, word), { value }, word)
})

test('the error for a wrong form shows a right one', () => {
  const table: [field: string, word: string, fault: RegExp][] = [
    ['measures', 'net revenue', /-m/],
    ['dimensions', 'effective_date:fortnight', /day, week, month, quarter, year/],
    ['dimensions', 'a:day:week', /-b/],
    ['filters', 'provider', /field:op:value/],
    ['filters', 'provider:like:x', /eq, in, not_in, between, gte, lte/],
    ['filters', 'provider:in:', /needs a value/],
    ['filters', 'provider:in:a,,b', /empty value/],
    ['filters', 'effective_date:between:2026-01-01', /a\.\.b/],
    ['filters', 'effective_date:between:..2026-01-01', /empty value/],
    ['order', 'net_revenue:down', /asc or desc/],
    ['order', 'a:b:c', /-o/],
  ]
  for (const [field, word, fault] of table) {
    const found = read(field, word)
    assert.match(found && 'fault' in found ? found.fault : '', fault, word)
  }
})

test('everything behind the second colon of a filter is its value', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (value) => {
      assert.deepEqual(read('filters', `name:gte:${value}`), { value: { field: 'name', op: 'gte', value } })
    }),
  )
})
