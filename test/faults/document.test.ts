// docs/reliability.md says of each scenario what the scenario says of itself, and has its results.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scenarios } from './scenarios.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8')
const rows = document.split('\n').filter((line) => line.startsWith('| `'))

test('docs/reliability.md has two rows for each scenario and none for another: its results, and its own words', () => {
  const named = (name: string) => rows.filter((row) => row.startsWith(`| \`${name}\` |`))
  for (const { name, done, proves, doesNotProve } of scenarios) {
    assert.equal(named(name).length, 2, name)
    assert.ok(named(name).includes(`| \`${name}\` | ${done} | ${proves} | ${doesNotProve} |`), name)
  }
  assert.equal(rows.length, scenarios.length * 2)
})
