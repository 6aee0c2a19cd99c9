// The documents: a newcomer reads the README to its end, finds every other one from it, and no link leads nowhere.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

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
