// The lists of mutants fit the product and its tests. `npm run mutate` tries them.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { MAY_IMPORT } from './house.ts'
import type { Mutant } from './mutants/mutant.ts'

const root = dirname(import.meta.dirname)
/** The records of the one are tried through the service that serves them, and what the other invents is no promise. */
const HAVE_NONE = ['console-contract', 'demo']
/** Fewer would leave parts of the product without one. */
const FEWEST = 150

const lists = globSync('mutants/*.ts', { cwd: import.meta.dirname }).filter((name) => !name.endsWith('/mutant.ts'))
const listed = await Promise.all(
  lists.map(async (name) => {
    const { mutants }: { mutants: readonly Mutant[] } = await import(join(import.meta.dirname, name))
    return mutants.map((mutant) => ({ ...mutant, list: name }))
  }),
)
const mutants = listed.flat()

const texts = new Map<string, string>()
function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  texts.set(file, text)
  return text
}

const tellOf = ({ list, breaks }: { list: string; breaks: string }) => `${list}: ${breaks}`

test('every part of the product has mutants', () => {
  assert.ok(mutants.length >= FEWEST, String(mutants.length))
  const parts = new Set(mutants.map(({ file }) => file.split('/')[1]))
  const without = Object.keys(MAY_IMPORT).filter((part) => !parts.has(part) && !HAVE_NONE.includes(part))
  assert.deepEqual(without, [])
})

test("a mutant's text stands once in its file, and is changed", () => {
  const wrong = mutants.filter(
    ({ file, from, to }) =>
      !/^(packages|deploy|scripts\/release|test\/faults)\//.test(file) ||
      !existsSync(join(root, file)) ||
      textOf(file).split(from).length !== 2 ||
      from === to,
  )
  assert.deepEqual(wrong.map(tellOf), [])
})

test('the test that must notice a mutant is one of every day, and has that name', () => {
  const isThere = ({ by, test: name }: Mutant['caught']) =>
    /^(packages\/[^/]+\/)?test\/.*\.test\.ts$/.test(by) &&
    !by.endsWith('.long.test.ts') &&
    existsSync(join(root, by)) &&
    (name === undefined || isIn(by, name))
  assert.deepEqual(
    mutants.filter(({ caught }) => !isThere(caught)).map(({ caught, ...mutant }) => `${tellOf(mutant)}: ${caught.by}`),
    [],
  )
})

test('no promise is listed twice, and neither is a change', () => {
  const repeated = (keys: readonly string[]) => keys.filter((key, at) => keys.indexOf(key) !== at)
  assert.deepEqual(repeated(mutants.map(({ breaks }) => breaks)), [])
  assert.deepEqual(repeated(mutants.map(({ file, from, to }) => JSON.stringify([file, from, to]))), [])
})

/** Whether a file, or what it imports beside itself, has a test of this name. A name may be made of parts: `${id} is refused`. */
function isIn(file: string, name: string): boolean {
  const beside = [...textOf(file).matchAll(/from '(\.\.?\/[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))
  return [file, ...beside.filter((one) => /\btest\//.test(one))].some((one) =>
    titlesOf(one).some((is) => is.test(name)),
  )
}

const titles = new Map<string, RegExp[]>()

/** The texts of a file that a test could have as its name. */
function titlesOf(file: string): RegExp[] {
  const known = titles.get(file)
  if (known) return known
  const literals = textOf(file).matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\\n]|\\.)+)`/g)
  const found = [...literals].flatMap(([, single, double, template]) => {
    const plain = (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1')
    const parts = template === undefined ? [plain] : plain.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
    // A made name has some words of its own.
    if (template !== undefined && !parts.some((part) => part.trim().length > 6)) return []
    return [new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`, 's')]
  })
  titles.set(file, found)
  return found
}
