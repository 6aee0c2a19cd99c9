// The client's Python files match the contract and the package, and every file says what it is for.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { allOperations } from '@clinic-data/contract'
import { generatedFiles, sourceFolder } from '../scripts/generated-files.ts'

const folder = join(import.meta.dirname, '..')
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')
const files = generatedFiles()

for (const [name, text] of Object.entries(files)) {
  test(`${name} is what the contract projects today`, () => {
    const isSame = readFileSync(join(sourceFolder, name), 'utf8') === text
    assert.ok(isSame, `${name} is not the contract's: run \`npm run golden\`, review the change`)
  })
}

test('the version of the package is that which the client reports and the README installs', () => {
  const { version } = JSON.parse(textOf('package.json'))
  assert.match(textOf('src/clinic_data/version.py'), new RegExp(`^VERSION = "${version}"$`, 'm'))
  assert.ok(textOf('README.md').includes(`/packages/clinic_data-${version}-py3-none-any.whl"`))
})

test('every method of both clients says what it does, takes, raises and answers, with an example', () => {
  for (const [name, prefix] of [
    ['generated/methods.py', ''],
    ['generated/async_methods.py', 'await '],
  ] as const) {
    const text = (files[name] ?? '').replaceAll(/\s+/g, ' ')
    for (const { id, method, path, summary, shape } of allOperations) {
      const at = text.indexOf(`"""${summary}. `)
      const body = text.slice(at, text.indexOf('"""', at + 3))
      assert.ok(at >= 0, id)
      for (const part of [`\`${method} ${path}\``, 'Args:', 'timeout_seconds: ', 'Returns:', 'Raises:', 'Example: >>>'])
        assert.ok(body.includes(part), `${id}: ${part}`)
      assert.ok(body.includes(`${shape === 'page' ? '' : prefix}client.${id}(`), id)
    }
  }
})

test('every field of every resource says what it means', () => {
  const lines = (files['generated/resources.py'] ?? '').split('\n')
  const fields = lines.flatMap((line, at) => (/^ {4}[a-z_]+: /.test(line) ? [at] : []))
  assert.ok(fields.length > 250, String(fields.length))
  const undocumented = fields.filter((at) => {
    const next = lines.slice(at + 1).find((line) => !/^ {8}"|^ {4}\]$/.test(line))
    return !next?.startsWith('    """')
  })
  assert.deepEqual(
    undocumented.map((at) => lines[at]?.trim()).filter((line) => !/^data(sets)?: /.test(line ?? '')),
    [],
  )
})

test('every file of ours has at most 320 lines and says in its first line what it is for', () => {
  const own = globSync('{src,tests}/**/*.py', { cwd: folder }).filter((file) => !(file.slice(16) in files))
  assert.ok(own.length > 15)
  const wrong = own.filter((file) => textOf(file).split('\n').length > 320 || !/^"""[A-Z].{10,}/.test(textOf(file)))
  assert.deepEqual(wrong, [])
})
