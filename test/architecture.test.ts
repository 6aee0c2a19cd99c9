// Checks the rules that a reader of the code relies on: allowed imports, no import cycles, no unused files, folders, and small files
// that say what they are for.
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { importsOf, targetOf } from '../scripts/imports.ts'
import { exclude, FLOORS, MAY_IMPORT, packageOf, root, sources, textOf } from './house.ts'

const MAX_LINES = 320
const MAX_FILES = 20
/** No room may become a house again: of all lines, and of what was parted. */
const MAX_SHARE = 0.14
const MAX_OF_PACKAGE: Record<string, number> = { backend: 10_000, server: 3_500 }

/** The file of a worker. Another file runs it in a separate thread. */
const WORKER = /\bnew URL\('([^']+\.ts)', import\.meta\.url\)/g

const targets = new Map(sources.map((file) => [file, importsOf(file).flatMap((name) => targetOf(file, name) ?? [])]))
const targetsWithin = (file: string) =>
  (targets.get(file) ?? []).filter((target) => target.startsWith(`packages/${packageOf(file)}/src/`))

/** The folder of `src` that holds a file, or null at the root. A file at the root belongs to the files that import it. */
const folderOf = (file: string) => file.split('/').slice(3, -1)[0] ?? null

/** The folders that a file imports, directly or through files at the root. */
function foldersBelow(file: string, seen = new Set<string>()): Map<string, string> {
  const reached = new Map<string, string>()
  for (const target of targetsWithin(file).filter((target) => !seen.has(target))) {
    seen.add(target)
    const folder = folderOf(target)
    const found = folder === null ? foldersBelow(target, seen) : new Map([[folder, target]])
    for (const [name, by] of found) reached.set(name, by)
  }
  return reached
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

test('no relative import reaches into another package', () => {
  const files = globSync('{packages/*/{src,test,scripts},test,bench,scripts,checks,examples}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude,
  })
  const roomOf = (file: string) => /^packages\/[^/]+/.exec(file)?.[0] ?? 'root'
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => ({ name, target: targetOf(file, name) ?? '' }))
      .filter(({ target }) => roomOf(target) !== roomOf(file) && /\/(?:src|test)\//.test(`/${target}`))
      .map(({ name }) => `${file} imports ${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('every external import of a package is in its manifest', () => {
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

test('there are no import cycles', () => {
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(' → ')}`)
    if (done.has(file)) return
    for (const next of targetsWithin(file)) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of sources) walk(file, [])
})

test('a folder imports only folders below it', () => {
  const wrong = sources.flatMap((file) => {
    const folder = folderOf(file)
    const floors = FLOORS[packageOf(file)] ?? []
    if (folder === null) return []
    if (!floors.includes(folder)) return [`packages/${packageOf(file)}/src/${folder} has no floor`]
    return [...foldersBelow(file)]
      .filter(([below]) => below !== folder && floors.indexOf(below) <= floors.indexOf(folder))
      .map(([, target]) => `${file} imports ${target}, which does not lie below it`)
  })
  assert.deepEqual([...new Set(wrong)], [])
})

test('no folder has more than 20 files', () => {
  const folders = globSync('packages/*/{src,src/**}/', { cwd: root, exclude })
  const wrong = folders
    .map((folder) => ({ folder, count: globSync(`${folder}/*.{ts,tsx}`, { cwd: root }).length }))
    .filter(({ count }) => count > MAX_FILES)
    .map(({ folder, count }) => `${folder} has ${count} files: give those of one concept a folder and a floor`)
  assert.deepEqual(wrong, [])
})

test('no package is a large part of the source', () => {
  const lines = new Map<string, number>()
  for (const file of sources)
    lines.set(packageOf(file), (lines.get(packageOf(file)) ?? 0) + textOf(file).split('\n').length)
  const all = [...lines.values()].reduce((sum, count) => sum + count, 0)
  const wrong = [...lines].filter(([name, count]) => count > (MAX_OF_PACKAGE[name] ?? all * MAX_SHARE))
  assert.deepEqual(wrong, [])
})

test('every file is imported', () => {
  const entries = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { exports = {}, bin = {} } = JSON.parse(textOf(file))
    return [...Object.values<string>(exports), ...Object.values<string>(bin)].map((path) => join(dirname(file), path))
  })
  // A page's script is named by its HTML.
  const scripts = globSync('packages/*/index.html', { cwd: root }).flatMap((file) =>
    [...textOf(file).matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, path = '']) => join(dirname(file), path)),
  )
  const users = [...sources, ...globSync('{packages/*/{bin,scripts},scripts}/**/*.{ts,mjs}', { cwd: root })]
  const targets = users.flatMap((file) =>
    [...importsOf(file), ...importsOf(file, WORKER)].flatMap((name) => targetOf(file, name) ?? []),
  )
  const imported = new Set([...entries, ...scripts, ...targets])
  const wrong = sources.filter((file) => !imported.has(file)).map((file) => `${file} is imported by nobody`)
  assert.deepEqual(wrong, [])
})

test('every export of a manifest exists', () => {
  const wrong = globSync('packages/*/package.json', { cwd: root }).flatMap((file) =>
    Object.values<string>(JSON.parse(textOf(file)).exports ?? {})
      .map((path) => join(dirname(file), path))
      .filter((path) => !existsSync(join(root, path.split('*')[0] ?? '')))
      .map((path) => `${file} exports ${path}, which does not exist`),
  )
  assert.deepEqual(wrong, [])
})

test('every file, also of tests, has at most 320 lines and says in its first line what it is for', () => {
  const tests = globSync('{packages/*/test,packages/testing/src,test,bench,checks,scripts,examples}/**/*.{ts,mjs}', {
    cwd: root,
    exclude,
  })
  const wrong = [...sources, ...tests].filter((file) => {
    const text = textOf(file)
    // A file that a program writes is as long as the contract.
    const isLong = !exclude(file) && text.split('\n').length > MAX_LINES
    return isLong || !/^\/\/ \S/.test(text)
  })
  assert.deepEqual(wrong, [])
})

test('only a config.ts reads the environment', () => {
  const wrong = sources.filter((file) => !file.endsWith('/config.ts') && textOf(file).includes('process.env'))
  assert.deepEqual(wrong, [])
})

test('a series of days counts whole numbers: one of timestamps drifts where a clock changes at midnight', () => {
  const byDays =
    /generate_series\((?:[^)(]|\([^)(]*\)|\((?:[^)(]|\([^)(]*\))*\))*interval '\d+ (?:day|week|month|year)s?'/
  const wrong = sources.filter((file) => byDays.test(textOf(file)))
  assert.deepEqual(wrong, [])
})
