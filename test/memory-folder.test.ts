// Tests that whatever a killed run of the tests left in memory goes, and nothing else.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { removeLeft } from '../scripts/memory-folder.ts'

const around = mkdtempSync(join(tmpdir(), 'left-'))
after(() => rmSync(around, { recursive: true, force: true }))
/** A process that has ended. */
const { pid: ended } = spawnSync(process.execPath, ['--version'])
const folder = (name: string) => {
  mkdirSync(join(around, name))
  writeFileSync(join(around, name, 'file'), '')
}

test('the folder of our killed run goes; a running one, another name and a stranger stay', () => {
  folder(`tests-${ended}-a`)
  const stay = [`tests-${process.pid}-a`, `tests-of-another-${ended}-a`, 'tests-x-a']
  for (const name of stay) folder(name)
  removeLeft(around, 'tests')
  assert.deepEqual(readdirSync(around).sort(), stay.sort())
})

test('what another account left stays, and stops nobody', { skip: process.getuid?.() !== 0 && 'not root' }, () => {
  const name = `accounts-${ended}-a`
  folder(name)
  chownSync(join(around, name), 12_345, 12_345)
  removeLeft(around, 'accounts')
  assert.ok(readdirSync(around).includes(name))
})
