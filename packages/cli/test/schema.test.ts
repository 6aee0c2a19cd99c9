// The command tree as data: the parts that programs rely on and that the specification fixes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { commandTable, outline } from '@clinic-data/cli/command-line/command-table'
import { completions } from '@clinic-data/cli/command-line/completions'
import { groups } from '@clinic-data/cli/command-line/groups'
import { schema } from '@clinic-data/cli/command-line/schema'
import { commands } from '@clinic-data/contract/projections/commands'
import { schemaFile, schemaText } from '../scripts/golden-schema.ts'

const table = commandTable()
const paths = table.map(({ path }) => path.join(' '))

test('golden/schema.json is the output of sc schema', () => {
  assert.ok(readFileSync(schemaFile, 'utf8') === schemaText(), 'run `npm run golden`, review the change')
})

test('every command of the specification exists', () => {
  const words = `login, logout, whoami, patients list, patients get, appointments list, availability, catalog branches, schema, listen,
    completion, webhooks create, webhooks list, webhooks get, webhooks delete, webhooks deliveries, webhooks retry, webhooks test,
    webhooks replay, leads create, payments create, chat send`
  for (const path of words.split(',').map((word) => word.trim())) assert.ok(paths.includes(path), path)
})

test('the outline matches the table', () => {
  assert.deepEqual(
    outline.map(({ path, summary }) => [path, summary]),
    table.map(({ path, summary }) => [path, summary]),
  )
})

test("the table matches the contract's projection, and a start loads no schemas", () => {
  const projected = commands().map(({ path }) => path.join(' '))
  assert.deepEqual(
    paths.filter((path) => projected.includes(path)),
    projected,
  )
})

test('a command has a summary, a description and an example, and each word before the last is a group', () => {
  for (const { path, summary, description, examples } of table) {
    assert.ok(summary && description && examples.length > 0, path.join(' '))
    for (let depth = 1; depth < path.length; depth++) {
      assert.ok(groups[path.slice(0, depth).join(' ')], path.join(' '))
    }
  }
  const beginnings = paths.flatMap((path) => path.split(' ').map((_, i, all) => all.slice(0, i).join(' ')))
  assert.deepEqual(
    Object.keys(groups).filter((group) => !beginnings.includes(group)),
    [],
  )
})

test('the tree has exactly the members that programs were promised', () => {
  const { commands: described, ...tree } = schema()
  assert.deepEqual(Object.keys(tree), ['name', 'version', 'globals', 'exit_codes', 'env'])
  for (const command of described) {
    assert.deepEqual(Object.keys(command), [
      'path',
      'summary',
      'args',
      'options',
      'endpoint',
      'scope',
      'output_columns',
      'examples',
    ])
  }
  assert.deepEqual(Object.keys(tree.exit_codes).map(Number), [0, 1, 2, 3, 4, 5, 6, 130])
})

test('completion offers commands, options of the typed command, and values of an option', () => {
  assert.ok(completions(['']).includes('patients'))
  assert.deepEqual(completions(['patients', 'l']), ['list'])
  assert.deepEqual(completions(['--format', 'json', 'patients', 'g']), ['get'])
  assert.deepEqual(completions(['patients', 'list', '--ph']), ['--phone'])
  assert.deepEqual(completions(['leads', 'create', '--source', 'w']), ['website', 'walk_in'])
  assert.deepEqual(completions(['--format', '']), ['table', 'csv', 'json', 'agents'])
  assert.deepEqual(completions(['completion', 'z']), ['zsh'])
  assert.deepEqual(completions(['patients', 'get', 'p1', '']), [])
})
