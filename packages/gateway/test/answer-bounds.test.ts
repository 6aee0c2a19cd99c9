// Tests what never leaves, whatever a backend answers or throws: longer lists than agreed, foreign warnings, internal texts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type AnyAnswer, type Operation, operations, Problem } from '@clinic-data/contract'
import { auditedIn } from '@clinic-data/contract/audited'
import { WrittenRows } from '@clinic-data/contract/data-writer'
import { exampleAnswer } from '@clinic-data/contract/projections/example-answer'
import { problemOf } from '../src/answers/problem-response.ts'
import { outputWriter } from '../src/answers/write-output.ts'

const links = { cursor: () => 'cursor', file: () => null, address: (path: string) => path }

function bodyOf(operation: Operation, answer: Partial<AnyAnswer>): string {
  const whole = { ...(exampleAnswer(operation) as AnyAnswer), next: null, ...answer }
  return String(outputWriter(operation)(whole, false, links).body)
}

test('a list longer than agreed is 502, not a longer answer', () => {
  const list = operations['patients.list']
  const [row] = (exampleAnswer(list) as { data: unknown[] }).data
  assert.equal(JSON.parse(bodyOf(list, { data: Array(100).fill(row) })).data.length, 100)
  for (const data of [Array(101).fill(row), { length: 1, 0: row }, null]) {
    assert.throws(
      () => bodyOf(list, { data }),
      (error) => error instanceof Problem && error.slug === 'upstream-error',
    )
  }
})

test('an empty list warns only of filters that its operation has', () => {
  const named = (unknown_ids: readonly string[]) =>
    JSON.parse(bodyOf(operations['appointments.list'], { data: [], unknown_ids })).meta?.warnings.map(
      ({ parameter }: { parameter: string }) => parameter,
    )
  assert.deepEqual(named(['provider_id', 'secret_id', 'constructor']), ['provider_id'])
  assert.equal(named(['secret_id']), undefined)
})

test('a query warns only of filters by ids, and an answer without such a warning has no meta', () => {
  const named = (id: 'query.run' | 'calls.get', unknown_values: NonNullable<AnyAnswer['unknown_values']>) =>
    JSON.parse(bodyOf(operations[id], { unknown_values })).meta?.warnings.map(
      ({ parameter, values }: { parameter: string; values: string[] }) => [parameter, values],
    )
  const values = ['x']
  const told = [
    { filter: 'branch', values },
    { filter: 'secret', values },
    { filter: 'provider', values: [] },
  ]
  assert.deepEqual(named('query.run', told), [['branch', values]])
  assert.equal(named('query.run', [{ filter: 'secret', values }]), undefined)
  assert.equal(named('query.run', []), undefined)
  assert.equal(named('calls.get', told), undefined)
})

test('an audit row names at most a hundred resources, counts all, and names all of their patients', () => {
  const data = Array.from({ length: 150 }, (_, n) => ({ id: `a${n}`, patient: { id: `p${n}` } }))
  const { resource_ids, patient_ids, count } = auditedIn(operations['appointments.list'], { data })
  assert.deepEqual([resource_ids.length, resource_ids.at(-1), count], [100, 'a99', 150])
  assert.deepEqual([patient_ids.length, patient_ids.at(-1)], [150, 'p149'])
})

test('an error that nobody foresaw shows nothing of itself', () => {
  for (const error of [new Error('relation patient'), 'a text', null, { code: '23505' }]) {
    const problem = problemOf(error)
    assert.equal(problem.slug, 'internal-error')
    assert.doesNotMatch(problem.message, /relation|a text|23505/)
    assert.deepEqual(problem.members, {})
    assert.equal(problem.cause, error)
  }
})

test('an error whose code is the name of a built-in member is an unexpected error like any other', () => {
  for (const code of ['toString', 'constructor', '__proto__']) {
    assert.equal(problemOf(Object.assign(new Error('internal'), { code })).slug, 'internal-error')
  }
})

test('written rows of which the backend tells nothing for the audit log are no answer', () => {
  const data = new WrittenRows(Buffer.from('[{}]'))
  assert.throws(() => auditedIn(operations['patients.list'], { data }), /tells nothing of the rows/)
})
