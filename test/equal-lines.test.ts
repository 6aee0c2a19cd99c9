// Code that stands twice is written once: few places of the repository share ten lines.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import test from 'node:test'
import { exclude, root, textOf } from './house.ts'

/** A run of so many equal lines makes two places a pair. */
const EQUAL_LINES = 10
const MOST_PAIRS = 8

const files = globSync('{packages,test,scripts,bench,checks,examples,deploy}/**/*.{ts,tsx,mjs,js,css,sh,sql}', {
  cwd: root,
  // A migration stays as it was released.
  exclude: (path) => exclude(path) || /migrations|golden/.test(path),
})

/** An import names what it needs, and many need the same. */
const IMPORT = /^import [^;]*?(?:from )?['"][^'"]+['"](?: with \{[^}]*\})?$/gm

interface Line {
  readonly number: number
  readonly id: number
}

const ids = new Map<string, number>()

/** The lines that say something: no import, comment, blank or lone punctuation. */
function linesOf(file: string): Line[] {
  const text = textOf(file).replaceAll(IMPORT, (lines) => lines.replaceAll(/[^\n]/g, ''))
  return text.split('\n').flatMap((line, i) => {
    const words = line.trim()
    if (!/\w/.test(words) || /^(?:\/\/|\*|\/\*|--|#)/.test(words)) return []
    const id = ids.get(words) ?? ids.size
    ids.set(words, id)
    return [{ number: i + 1, id }]
  })
}

test(`at most ${MOST_PAIRS} pairs of places share ${EQUAL_LINES} lines`, () => {
  const places = new Map<string, { file: string; at: number; number: number }[]>()
  for (const file of files) {
    const lines = linesOf(file)
    for (const [at, { number }] of lines.slice(0, 1 - EQUAL_LINES).entries()) {
      const run = lines.slice(at, at + EQUAL_LINES).map(({ id }) => id)
      const equal = places.get(run.join()) ?? []
      // Lines that repeat themselves are equal to those behind them.
      if (equal.some((one) => one.file === file && at - one.at < EQUAL_LINES)) continue
      places.set(run.join(), [...equal, { file, at, number }])
    }
  }
  const pairs = new Map<string, string>()
  for (const equal of places.values())
    for (const [i, one] of equal.entries())
      for (const other of equal.slice(i + 1)) {
        const pair = `${one.file} ${other.file}`
        if (!pairs.has(pair)) pairs.set(pair, `${one.file}:${one.number} ~ ${other.file}:${other.number}`)
      }
  assert.ok(pairs.size <= MOST_PAIRS, [...pairs.values()].join('\n'))
})
