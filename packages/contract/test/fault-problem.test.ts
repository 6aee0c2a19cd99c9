// The detail of a problem: its first fault in words, as a person names the place, and how many more there are.
import assert from 'node:assert/strict'
import test from 'node:test'
import { faultProblem } from '../src/input/fault-problem.ts'
import { bodyFault } from '../src/input/findings.ts'
import { MAX } from '../src/limits.ts'
import type { Fault } from '../src/problems.ts'

const limit: Fault = { parameter: 'limit', code: 'out_of_range', detail: 'must be from 1 to 100' }
const detailOf = (...faults: Fault[]) => faultProblem('invalid-request', faults).message

test('the detail names the first fault, and how many more there are', () => {
  assert.equal(detailOf(limit), '`limit` must be from 1 to 100.')
  assert.equal(detailOf(limit, limit), '`limit` must be from 1 to 100 (and 1 more fault).')
  assert.equal(detailOf(limit, limit, limit), '`limit` must be from 1 to 100 (and 2 more faults).')
  const many = faultProblem('unprocessable', Array<Fault>(80).fill(limit), 'Nothing was stored.')
  assert.equal(many.message, '`limit` must be from 1 to 100 (and at least 79 more faults). Nothing was stored.')
  assert.equal(many.members.errors?.length, MAX.errors)
})

test('a place is named as a person writes it', () => {
  const named = (place: string) => detailOf(bodyFault({ place, code: 'required', detail: 'is required' }))
  assert.equal(named('/attribution/utm_source'), '`attribution.utm_source` is required.')
  assert.equal(named('/filters/0/value'), '`filters[0].value` is required.')
  assert.equal(named(''), 'The body is required.')
  assert.equal(named('/meta/a.b~1c~0d/א'), '`meta["a.b/c~d"]["א"]` is required.')
  assert.equal(named('/5/`'), '`5["`"]` is required.')
  assert.equal(
    detailOf({ header: 'Idempotency-Key', code: 'format', detail: 'must be ASCII' }),
    '`Idempotency-Key` must be ASCII.',
  )
})

test('a parameter is named as it was sent', () => {
  const named = (parameter: string) => detailOf({ parameter, code: 'unknown', detail: 'is not known here' })
  assert.equal(named('event_types[]'), '`event_types[]` is not known here.')
  assert.equal(named('filter[status]'), '`filter[status]` is not known here.')
  assert.equal(named('a`b'), '`["a`b"]` is not known here.')
})

test('a place that was cut is named too', () => {
  const place = `/${'😀'.repeat(200)}~1`
  for (let more = 0; more < 4; more++)
    assert.match(detailOf(bodyFault({ place: 'x'.repeat(more) + place, code: 'c', detail: 'is odd' })), /is odd\.$/)
})
