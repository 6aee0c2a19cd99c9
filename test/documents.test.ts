// The documents: a newcomer reads the README to its end, finds every other one from it, and no link and no line of the map leads nowhere.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { filesOfTree } from '../scripts/files-of-tree.ts'

const root = dirname(import.meta.dirname)
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = globSync('{*.md,docs/**/*.md,{bench,bench/peers,examples,packages/*}/*.md}', { cwd: root })

const MAX_README_LINES = 90

test(`the README has at most ${MAX_README_LINES} lines`, () => {
  assert.ok(textOf('README.md').trimEnd().split('\n').length <= MAX_README_LINES)
})

test('every document of docs/ stands in its README', () => {
  const linked = linksOf(textOf('docs/README.md')).map(({ path }) => path)
  const missing = globSync('*.md', { cwd: join(root, 'docs') }).filter(
    (file) => file !== 'README.md' && !linked.includes(file),
  )
  assert.deepEqual(missing, [])
})

const records = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map((file) => basename(file))

test('every record of a decision stands once in the index', () => {
  const listed = linksOf(textOf('docs/decisions/README.md')).map(({ path }) => path)
  assert.ok(records.length > 70)
  assert.deepEqual(listed.toSorted(), records.toSorted())
})

test('every record of a decision is named by what it explains, or by another record, and no other is named', () => {
  const named = new Set(
    filesOfTree(root)
      .filter((file) => file !== 'docs/decisions/README.md' && /\.(ts|tsx|mjs|js|md|toml|py|conf|yaml)$/.test(file))
      .flatMap((file) => {
        const links = file.startsWith('docs/decisions/') ? /\]\((\d{4})-/g : /\bdecisions\/(\d{4})\b/g
        return [...textOf(file).matchAll(links)].map(([, number]) => number)
      }),
  )
  assert.deepEqual([...named].toSorted(), records.map((file) => file.slice(0, 4)).toSorted())
})

test('every link of a document leads to a file that exists, and to a heading in it', () => {
  assert.ok(documents.length > 80)
  const wrong = documents.flatMap((file) =>
    linksOf(textOf(file))
      .filter(({ path, part }) => {
        const target = path === '' ? file : join(dirname(file), path)
        if (!existsSync(join(root, target))) return true
        return part !== '' && !anchorsOf(textOf(target)).includes(part)
      })
      .map(({ path, part }) => `${file}: ${path}#${part}`),
  )
  assert.deepEqual(wrong, [])
})

test('every place that ARCHITECTURE names under "To find" is there', () => {
  const [, section = ''] = /^## To find\n(.*?)^## /ms.exec(textOf('ARCHITECTURE.md')) ?? []
  const places = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => (line.split(' | ')[1] ?? '').match(/(?<=`)[^`]+\/[^`]*(?=`)/g) ?? [])
  assert.ok(places.length > 80)
  const missing = places.filter((place) => {
    const pattern = place.replace('<resource>', '*').replace(/\/$/, '')
    return globSync([pattern, `packages/${pattern}`], { cwd: root }).length === 0
  })
  assert.deepEqual(missing, [])
})

test('CONTRIBUTING says of each dependency which packages have it', () => {
  const [, section = ''] = textOf('CONTRIBUTING.md').split('| Package | Where | Why |\n')
  const had = new Map<string, Set<string>>()
  for (const file of globSync('packages/*/package.json', { cwd: root })) {
    const { name, dependencies = {}, optionalDependencies = {} } = JSON.parse(textOf(file))
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (needed.startsWith('@clinic-data/') || name === '@clinic-data/testing') continue
      had.set(needed, (had.get(needed) ?? new Set()).add(name.split('/')[1]))
    }
  }
  const said = new Map(
    section.split('\n').flatMap((line) => {
      const [names = '', where = ''] = line.replace(/^\| /, '').split(' | ')
      return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, where.split(', ')] as const)
    }),
  )
  assert.ok(had.size > 30)
  const wrong = [...had].filter(([name, packages]) => {
    const where = said.get(name) ?? said.get(name.replace(/\/[^/]*$/, '/*')) ?? []
    return [...packages].some((one) => !where.includes(one))
  })
  assert.deepEqual(
    wrong.map(([name, packages]) => `${name}: ${[...packages].join(', ')}`),
    [],
  )
})

/** Those to other files of the repository, and within the file itself. */
function linksOf(markdown: string): { path: string; part: string }[] {
  const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path = '', part = '']) => ({
    path,
    part,
  }))
}

/** As GitHub makes them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
