// Checks the words of the code: names and comments that a reader does not have to read twice.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import test from 'node:test'
import { exclude, packageOf, root, sources, textOf } from './house.ts'

/** Words that say how a value came here, and not what it is. A reader must read them twice. */
const SAYS_NOTHING = /\b(?:told|asked|given)\b/i
const NOT_CODE = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
/** Names that others chose: a part of a finding in the report of the conformance kit, and a given name in FHIR. */
const OTHERS_NAMES: readonly [folder: string, name: RegExp][] = [
  ['packages/conformance/src/', /\basked:/g],
  ['packages/importers/src/fhir/', /\bgiven\b/g],
]
/** Casts through `unknown`, which the compiler cannot check. */
const MOST_CASTS = 10
/** Their declarations are published with their comments. */
const PUBLISHED_COMMENTS = ['event-envelope', 'pages', 'request'].map((name) => `packages/client/src/${name}.ts`)

test('no object is spread only to put several fields on one line', () => {
  const tests = globSync(
    '{packages/*/{test,scripts},packages/testing/src,test,bench,scripts,checks,examples}/**/*.ts',
    {
      cwd: root,
      exclude,
    },
  )
  const wrong = [...sources, ...tests].filter((file) => /^\s*\.\.\.\{(?: .* \},?)?$/m.test(textOf(file)))
  assert.deepEqual(wrong, [])
})

test('no file has a name that says nothing', () => {
  const wrong = sources.filter((file) => /\/(utils?|helpers?|common|manager|types|service|index)\.ts$/.test(file))
  assert.deepEqual(wrong, [])
})

test('no name is a participle that says how a value came here', () => {
  const codeOf = (file: string) =>
    OTHERS_NAMES.filter(([folder]) => file.startsWith(folder)).reduce(
      (code, [, name]) => code.replaceAll(name, ''),
      textOf(file).replaceAll(NOT_CODE, ''),
    )
  const names = sources.filter((file) => !exclude(file) && SAYS_NOTHING.test(codeOf(file)))
  const files = sources.filter((file) => SAYS_NOTHING.test(file) && packageOf(file) !== 'contract')
  assert.deepEqual([...names, ...files], [])
})

test('what the compiler is overruled in is little, and says why', () => {
  const places = sources
    .filter((file) => !exclude(file))
    .flatMap((file) => {
      const lines = textOf(file).split('\n')
      return lines.flatMap((line, i) => (/\bas unknown as [A-Z(]/.test(line) ? [{ file, lines, i }] : []))
    })
  assert.ok(
    places.length > 0 && places.length <= MOST_CASTS,
    places.map(({ file, i }) => `${file}:${i + 1}`).join('\n'),
  )
  // A cast may end a long statement, whose reason stands before it.
  const unexplained = places.filter(
    ({ lines, i }) => !lines.slice(i - 14, i).some((line) => /^\s*(?:\/\/|\/\*\*) /.test(line)),
  )
  assert.deepEqual(
    unexplained.map(({ file, i }) => `${file}:${i + 1}`),
    [],
  )
})

test('no comment begins with a fragment of a sentence', () => {
  const wrong = sources.filter((file) => {
    const lines = textOf(file).split('\n')
    return lines.some((line, i) => {
      const isFirst = !/^\s*\/\//.test(lines[i - 1] ?? '')
      return (
        /\/\*\*? (?:What|Of) /.test(line + (lines[i + 1] ?? '').replace(/^ *\*/, '')) ||
        (isFirst && /(?:^|\s)\/\/ (?:What|Of) /.test(line))
      )
    })
  })
  assert.deepEqual(
    wrong.filter((file) => !exclude(file) && !PUBLISHED_COMMENTS.includes(file)),
    [],
  )
})
