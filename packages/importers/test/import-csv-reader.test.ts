// Reading CSV: every form that RFC 4180 allows gives the same values, and a fault is reported with its place.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { sized } from '@clinic-data/testing/run/size'
import fc from 'fast-check'
import { type CsvRow, CsvUnreadable, readCsv } from '../src/csv/csv-reader.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clinic-data-csv-reader-'))
})
after(() => rm(folder, { recursive: true }))

/** The rows, and how the reading ended. */
async function reading(content: string | Buffer): Promise<{ rows: CsvRow[]; end: string | null }> {
  const path = join(folder, 'file.csv')
  await writeFile(path, content)
  const rows: CsvRow[] = []
  try {
    for await (const group of readCsv(path)) rows.push(...group)
  } catch (error) {
    if (!(error instanceof CsvUnreadable)) throw error
    return { rows, end: `line ${error.line}: ${error.message}` }
  }
  return { rows, end: null }
}

async function valuesOf(content: string | Buffer): Promise<string[][]> {
  const { rows, end } = await reading(content)
  assert.equal(end, null)
  assert.deepEqual(
    rows.filter(({ fault }) => fault !== null),
    [],
  )
  return rows.map(({ values }) => values)
}

test('line ends, a byte order mark and a missing last line feed make no difference', async () => {
  const expected = [
    ['a', 'b'],
    ['1', 'שלום'],
  ]
  for (const text of [
    'a,b\n1,שלום\n',
    'a,b\r\n1,שלום\r\n',
    '\ufeffa,b\n1,שלום',
    '"a","b"\r\n\r\n"1",שלום\r',
    'a,b\n\n\n1,"שלום"',
  ])
    assert.deepEqual(await valuesOf(text), expected, JSON.stringify(text))
  assert.deepEqual(await valuesOf(''), [])
  assert.deepEqual(await valuesOf('a,\n,\n'), [
    ['a', ''],
    ['', ''],
  ])
})

test('any text in quotes is read as it was written', async () => {
  const value = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\r\n', ' ', 'ש', '🦷', '\ufeff') })
  const rows = fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n'), async (written, end) => {
      const lines = written.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
      assert.deepEqual(await valuesOf(`${lines.join(end)}${end}`), written)
    }),
    { numRuns: sized({ everyday: 60, long: 200 }) },
  )
})

test('rows, quoted values and characters that are split between pieces of a file are whole', async () => {
  const long = `שורה "ראשונה",\r\n${'🦷'.repeat(150_000)}`
  const quoted = `"${long.replaceAll('"', '""')}"`
  const rows = Array.from({ length: 40_000 }, (_, i) => [`id${i}`, `שם ${i}`])
  const text = [`x,${quoted}`, ...rows.map((row) => row.join(',')), `${quoted},y`].join('\n')
  assert.deepEqual(await valuesOf(text), [['x', long], ...rows, [long, 'y']])
})

test('each row knows the line on which it begins', async () => {
  const { rows } = await reading('a\n\n"x\ny"\r\nb\n"""\n"\nc')
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 3, 5, 6, 8],
  )
})

test('a misplaced quote is reported with its row, and the rows after it are read', async () => {
  const { rows, end } = await reading('a,b\nx"y,2\n"p"q,2\n5,6\n')
  assert.equal(end, null)
  assert.deepEqual(
    rows.map(({ line, fault }) => [line, fault !== null]),
    [
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ],
  )
})

test('a file that becomes unreadable yields the rows before that place, and the place is reported', async () => {
  const sound = 'a,b\nאב,2\n'
  const bytes = (text: string, ...more: number[]) => Buffer.concat([Buffer.from(text), Buffer.from(more)])
  const cases: [content: Buffer, rows: number, end: string][] = [
    [bytes(`${sound}"x,2\n3,4\n`), 2, 'line 3: has a quote that is not closed, in the row that begins here'],
    [bytes(`${sound}c`, 0xd7, 0x2c), 2, 'line 3: is not UTF-8: byte 13 of the file'],
    [bytes(`${sound}c,`, 0xd7), 2, 'line 3: is not UTF-8: byte 14 of the file'],
    [Buffer.from(`\ufeff${sound}`, 'utf16le'), 0, 'line 1: is not UTF-8: byte 1 of the file'],
  ]
  for (const [content, rows, end] of cases) {
    const found = await reading(content)
    assert.equal(found.end, end)
    assert.equal(found.rows.length, rows)
  }
  const endless = await reading(Buffer.concat([Buffer.from('a,b\n"'), Buffer.alloc(6_000_000, 'x\n')]))
  assert.match(String(endless.end), /^line 2: has a row of more than \d+ characters/)
  const noLines = await reading(Buffer.alloc(6_000_000, 'x'))
  assert.match(String(noLines.end), /^line 1: has a row of more than \d+ characters/)
})

test('a missing file is reported', async () => {
  await assert.rejects(async () => {
    for await (const _ of readCsv(join(folder, 'missing.csv'))) assert.fail()
  }, /cannot be read: ENOENT/)
})
