// The long run repeats no test that has one size alone, and leaves out none that may have two.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizedTests, sizedTestsOf } from '../scripts/sized-tests.ts'

const rest = "test('of one size', () => {\n  run(3)\n})\n"

test('a test is repeated that chooses by size, or uses a constant that was chosen so', () => {
  const chosen = `const RUNS = sized({ everyday: 1, long: 9 })
const READS = { before: 60, after: sized({
  everyday: 200,
  long: 1_000,
}) }
test('by itself', { skip }, async () => {
  await run(sized({ everyday: 1, long: 2 }))
})

test(
  'of a long name',
  () => {},
)

test("by a constant's runs", () => {
  run(RUNS)
})
test('by a part of one', () => {
  run(READS.before)
})
`
  assert.deepEqual(sizedTests(chosen + rest), ['by itself', "by a constant's runs", 'by a part of one'])
})

test('all tests are repeated where any one may depend on the size', () => {
  const named = "test('of two', () => {\n  run(sized({ everyday: 1, long: 2 }))\n})\n"
  for (const shared of [
    'function rows() {\n  return sized({ everyday: 1, long: 9 })\n}\n',
    'const RUNS =\n  sized({ everyday: 1, long: 9 })\n',
    'const RUNS = sized({ everyday: 1, long: 9 })\nconst TWICE = RUNS * 2\n',
    'const RUNS = sized({ everyday: 1, long: 9 })\nfunction all() {\n  run(RUNS)\n}\n',
    'for (const at of sized({ everyday: [1], long: [1, 2] })) {\n  test(at, () => {})\n}\n',
    "describe('all', () => {\n  test('one', () => {\n    run(sized({ everyday: 1, long: 2 }))\n  })\n})\n",
  ])
    assert.equal(sizedTests(shared + named + rest), null, shared)
  assert.equal(sizedTests(rest), null)
  assert.equal(sizedTests(named.replace('of two', "of two\\'s")), null)
})

test('of a file that only the long run has, all tests are run, whatever is in it', () => {
  assert.equal(sizedTestsOf('packages/server/test/unread.long.test.ts'), null)
})
