// The rules of the house that a reader relies on: which package may import which, no cycles, small files that say what they are for.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import test from 'node:test'

const root = dirname(import.meta.dirname)
const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const packageOf = (file: string) => file.split('/')[1] ?? ''

const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  client: ['contract'],
  cli: ['contract', 'client', 'disk'],
  gateway: ['contract'],
  database: ['disk'],
  disk: [],
  webhooks: ['contract', 'database'],
  backend: ['contract', 'database', 'webhooks'],
  conformance: ['contract', 'gateway', 'backend'],
  importers: ['contract', 'database', 'backend'],
  demo: ['contract', 'database', 'backend'],
  server: ['contract', 'gateway', 'database', 'webhooks', 'backend', 'disk', 'conformance', 'importers', 'demo'],
}

const MAX_LINES = 320

function importsOf(file: string): string[] {
  return [
    ...textOf(file).matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

test('a package imports only the packages that it may', () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith('@clinic-data/'))
      .filter((name) => !MAY_IMPORT[packageOf(file)]?.includes(name.split('/')[1] ?? ''))
      .map((name) => `${file} imports ${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('what a package imports from outside stands in its manifest', () => {
  const wrong = sources.flatMap((file) => {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      textOf(`packages/${packageOf(file)}/package.json`),
    )
    return importsOf(file)
      .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !(name in dependencies) && !(name in optionalDependencies))
      .map((name) => `${file} imports ${name}`)
  })
  assert.deepEqual(wrong, [])
})

test('the gateway opens no database', () => {
  const manifest = JSON.parse(textOf('packages/gateway/package.json'))
  assert.deepEqual(
    Object.keys(manifest.dependencies).filter((name) => /^pg$|postgres|database/.test(name)),
    [],
  )
})

test('no file imports itself by a detour', () => {
  const graph = new Map(
    sources.map((file) => [
      file,
      importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => relative(root, resolve(root, dirname(file), name))),
    ]),
  )
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(' → ')}`)
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of sources) walk(file, [])
})

test('a file has at most 320 lines and says in its first line what it is for', () => {
  const wrong = sources.filter((file) => {
    const text = textOf(file)
    return text.split('\n').length > MAX_LINES || !/^\/\/ \S/.test(text)
  })
  assert.deepEqual(wrong, [])
})

test('the environment is read in config.ts alone', () => {
  const wrong = sources.filter((file) => !file.endsWith('/config.ts') && textOf(file).includes('process.env'))
  assert.deepEqual(wrong, [])
})

test('no file is named after nothing', () => {
  const wrong = sources.filter((file) => /\/(utils?|helpers?|common|manager|types|service|index)\.ts$/.test(file))
  assert.deepEqual(wrong, [])
})
