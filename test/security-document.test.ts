// Checks that SECURITY.md tells of what is there: each link leads to a file, each named test is in its file, and each dependency has a
// reason.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'

const root = dirname(import.meta.dirname)
const document = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const links = [...document.matchAll(/\[([^\]]+)\]\(([^)#]*)(?:#[^)]*)?\)/g)].map(([, text = '', path = '']) => ({
  text,
  path,
}))
const isTest = (path: string) => /(^|\/)test\//.test(path)
const lines = document.split('\n')
const promises = lines.filter((line, at) => line.startsWith('| ') && !lines[at + 1]?.startsWith('|---'))

test('every file that the document links to exists', () => {
  assert.ok(links.length > 60)
  assert.deepEqual(
    links.filter(({ path }) => !existsSync(join(root, path))),
    [],
  )
})

/** Whether a file has a test, or a group of them, with these words in its name. `test.skip` is none. */
function hasTest(path: string, words: string): boolean {
  const source = readFileSync(join(root, path), 'utf8')
  const names = [...source.matchAll(/\b(?:test|it|describe)\(\s*(['"`])(.*?)\1,/g)].map(([, , name = '']) => name)
  return names.some((name) => name.replaceAll(/\\(['"`])/g, '$1').includes(words))
}

test('every threat and every promise names a test by its words, and these words stand in that file', () => {
  assert.ok(promises.length > 40)
  const unproven = promises.filter((line) => !/\["[^\]]+"\]\([^)]+\.(test|attack)\.ts\)/.test(line))
  assert.deepEqual(unproven, [])
  const wrong = links.filter(({ text, path }) => {
    if (!isTest(path)) return false
    const words = /^"(.+)"$/.exec(text)?.[1]
    return words === undefined || !hasTest(path, words)
  })
  assert.deepEqual(wrong, [])
})

test('every manifest names its dependencies in exact versions', () => {
  const manifests = [
    'package.json',
    'checks/public/package.json',
    ...globSync('packages/*/package.json', { cwd: root }),
  ]
  for (const file of manifests) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, file), 'utf8'))
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
      assert.match(String(version), /^(npm:@?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${file}: ${name}`)
  }
})

test('every direct dependency has its reason in CONTRIBUTING.md', () => {
  const [, section = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n## Dependencies\n')
  const rows = section.split('\n').map((line) => /^\|([^|]+)\|[^|]+\| \S/.exec(line)?.[1] ?? '')
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  const hasReason = (name: string) => named.includes(name) || named.includes(name.replace(/\/.*/, '/*'))
  const direct = ['package.json', ...globSync('packages/*/package.json', { cwd: root })].flatMap((file) => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, file), 'utf8'),
    )
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
  })
  const others = new Set(direct.filter((name) => !name.startsWith('@clinic-data/')))
  assert.ok(others.size > 40)
  assert.deepEqual(
    [...others].filter((name) => !hasReason(name)),
    [],
  )
})

test('every package with an install script is named in `allowScripts`, and no other', () => {
  for (const folder of ['', 'checks/public']) {
    const read = (file: string) => JSON.parse(readFileSync(join(root, folder, file), 'utf8'))
    const installed: Record<string, { hasInstallScript?: boolean }> = read('package-lock.json').packages
    const withScript = Object.keys(installed).filter((path) => installed[path]?.hasInstallScript)
    const names = withScript.map((path) => path.replace(/^.*node_modules\//, ''))
    assert.deepEqual(new Set(Object.keys(read('package.json').allowScripts)), new Set(names), folder)
  }
})
