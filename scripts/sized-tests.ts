// Which tests of a file have a long size: the others are the same every day, and `npm run test:long` does not repeat them.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importsOf, targetOf } from './imports.ts'

const root = dirname(import.meta.dirname)
const SIZE = 'packages/testing/src/run/size.ts'
/** A test at the margin, as the formatter leaves it. */
const TEST = /^test\((?<quote>['"])(?<name>.+?)\k<quote>,[\s\S]*?^\}\)$/gm
/** A constant that is chosen by size, up to the call. */
const CONSTANT = /^const (?<name>\w+)\b.*?\bsized\(/gm

/**
 * The names of a file's tests that depend on the size, or null when all of them are for the long run: any one may depend on it, by what
 * the file imports or a part that is no test; or the file is of the long run alone.
 */
export function sizedTestsOf(file: string): readonly string[] | null {
  if (file.endsWith('.long.test.ts')) return null
  const imported = importsOf(file).flatMap((name) => targetOf(file, name) ?? [])
  const isSized = (other: string) => other !== SIZE && readFileSync(join(root, other), 'utf8').includes("/size'")
  return imported.some(isSized) ? null : sizedTests(readFileSync(join(root, file), 'utf8'))
}

/**
 * @example
 * sizedTests("const RUNS = sized({ everyday: 1, long: 9 })\ntest('a', () => {\n  run(RUNS)\n})\ntest('b', () => {\n})\n") // ['a']
 */
export function sizedTests(source: string): readonly string[] | null {
  const constants = [...source.matchAll(CONSTANT)].map(({ groups }) => groups?.name ?? '')
  const depends = new RegExp(`\\b(${['sized\\(', ...constants.map((name) => `${name}\\b`)].join('|')})`)
  const names: string[] = []
  const others = source.replaceAll(TEST, (test: string, _, name: string) => {
    if (depends.test(test)) names.push(name)
    return ''
  })
  // A name with an escape stands otherwise in the report.
  const isPlain = names.every((name) => !name.includes('\\'))
  return names.length > 0 && isPlain && !depends.test(others.replaceAll(CONSTANT, '')) ? names : null
}
