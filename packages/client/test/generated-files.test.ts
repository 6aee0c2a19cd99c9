// The client's generated files match the contract.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { generatedFiles, sourceFolder } from '../scripts/generated-files.ts'
import { VERSION } from '../src/version.ts'

for (const [name, text] of Object.entries(generatedFiles())) {
  test(`${name} is what the contract projects today`, () => {
    const isSame = readFileSync(join(sourceFolder, name), 'utf8') === text
    assert.ok(isSame, `src/${name} is not the contract's: run \`npm run golden\`, review the change`)
  })
}

test('the client reports the version of its package', () => {
  const manifest = JSON.parse(readFileSync(join(sourceFolder, '..', 'package.json'), 'utf8'))
  assert.equal(VERSION, manifest.version)
})
