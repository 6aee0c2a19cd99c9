// Checks that the files and symbols that docs/open-points.md names exist.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'

const root = dirname(import.meta.dirname)
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

interface Row {
  line: number
  cells: string[]
}

const document = textOf('docs/open-points.md')
const rows: Row[] = document
  .split('\n')
  .map((text, index) => ({ line: index + 1, text }))
  .filter(({ text }) => text.startsWith('|'))
  .map(({ line, text }) => ({
    line,
    cells: text
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  }))
  .filter(({ cells }) => !['Point', 'Its part', '---'].includes(cells[0] ?? ''))

/** A path, with the file's symbols in brackets. */
const NAMED = /`([^`]+)`(?: \(((?:`[^`]+`(?:, )?)+)\))?/g

const ticked = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The files in the last cell of a row, each with the symbols to find in it. */
function placesOf({ cells }: Row): { path: string; symbols: string[] }[] {
  const where = cells[2] ?? ''
  return [...where.matchAll(NAMED)].map(([, path = '', symbols = '']) => ({ path, symbols: ticked(symbols) }))
}

/** Matches whole words: `taken` is not found in `mistaken`. */
function holds(text: string, symbol: string): boolean {
  const isWord = (character = '') => /[\w-]/.test(character)
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + symbol.length])) return true
  return false
}

test('every open point has a decision and names a place in the last of three cells', () => {
  assert.ok(rows.length > 100)
  const wrong = rows.filter((row) => row.cells.length !== 3 || row.cells.includes('') || placesOf(row).length === 0)
  assert.deepEqual(wrong, [])
})

test('the last cell of an open point holds only places', () => {
  const wrong = rows.filter(({ cells }) => (cells[2] ?? '').replace(NAMED, '').replaceAll(', ', ''))
  assert.deepEqual(wrong, [])
})

test('every file that an open point names exists', () => {
  const missing = rows.flatMap((row) =>
    placesOf(row)
      .filter(({ path }) => !existsSync(join(root, path)))
      .map(({ path }) => `line ${row.line}: ${path}`),
  )
  assert.deepEqual(missing, [])
})

test('every symbol that an open point names is in its file', () => {
  const missing = rows.flatMap((row) =>
    placesOf(row).flatMap(({ path, symbols }) => {
      const text = existsSync(join(root, path)) ? textOf(path) : ''
      return symbols.filter((symbol) => !holds(text, symbol)).map((symbol) => `line ${row.line}: ${symbol} in ${path}`)
    }),
  )
  assert.deepEqual(missing, [])
})
