// The linter sees what has changed since it passed, and nothing else.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { unlinted } from '../scripts/unlinted.ts'

const root = mkdtempSync(join(tmpdir(), 'unlinted-'))
const kept = join(root, '.git', 'linted.json')
after(() => rmSync(root, { recursive: true }))

test('a file is linted when it is new, changed or renamed, and every file when the settings change', () => {
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  const seen = () => {
    const { files, keep } = unlinted(root, kept)
    keep()
    return files.toSorted()
  }
  write('biome.json', '{}')
  write('a.ts', 'a')
  write('b.ts', 'b')
  assert.deepEqual(seen(), ['a.ts', 'b.ts', 'biome.json'])
  assert.deepEqual(seen(), [])
  write('a.ts', 'changed')
  write('c.ts', 'b')
  assert.deepEqual(seen(), ['a.ts', 'c.ts'])
  write('biome.json', '{"linter":{}}')
  assert.deepEqual(seen(), ['a.ts', 'b.ts', 'biome.json', 'c.ts'])
})

test('what has not passed is linted again', () => {
  writeFileSync(join(root, 'a.ts'), 'a fault')
  for (const _ of [1, 2]) assert.deepEqual(unlinted(root, kept).files, ['a.ts'])
})
