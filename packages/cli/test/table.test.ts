// Tables align in every script, are cut only on a terminal, and print nothing that steers the terminal.
import assert from 'node:assert/strict'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { cellText, valueAt } from '@clinic-data/cli/views/cells'
import { fieldsText, type Layout, onePage, tableText } from '@clinic-data/cli/views/table'
import { cutText, loadMeasure, widthOf } from '@clinic-data/cli/views/text-width'
import { safeJson, safeText } from '@clinic-data/contract/safe-text'
import { anyCharacter } from '@clinic-data/testing/any-character'
import fc from 'fast-check'
import stringWidth from 'string-width'

const PIPE: Layout = { columns: null, isColoured: false }
const NAMES = [
  'Dana',
  'דָּנָה כֹּהֵן',
  '山田 太郎',
  '👩‍👩‍👧‍👦 Levi',
  'José',
  'a\u001b[31mred\u001b]0;title\u0007',
  'right\u202eleft',
]

async function printed(rows: readonly Record<string, unknown>[], columns: readonly string[], layout = PIPE) {
  let text = ''
  for await (const part of tableText(onePage(rows), columns, layout)) text += part
  return text
}

test('every column begins at the same place in every line, with niqqud, wide characters and joined emoji too', async () => {
  const lines = (
    await printed(
      NAMES.map((name) => ({ name, id: 'X' })),
      ['name', 'id'],
    )
  )
    .trimEnd()
    .split('\n')
  const places = lines.slice(1).map((line) => stringWidth(line.slice(0, line.lastIndexOf('X'))))
  assert.deepEqual(new Set(places).size, 1, lines.join('\n'))
  assert.equal(stringWidth(lines[0]?.slice(0, lines[0].indexOf('id')) ?? ''), places[0])
})

test('a table has a header, two spaces between columns, - for null, and numbers on the right', async () => {
  const rows = [
    { id: 'a', n: 5, x: { name: null } },
    { id: 'bbb', n: 1200, x: null },
  ]
  assert.equal(await printed(rows, ['id', 'n', 'x.name']), 'id      n  x.name\na       5  -\nbbb  1200  -\n')
})

test("the decimal points of a column's numbers align, and a broken amount has two decimals at least", async () => {
  assert.equal(
    await printed([{ n: 191038 }, { n: 150128.5 }, { n: null }], ['n']),
    '        n\n191038.00\n150128.50\n        -\n',
  )
  assert.equal(await printed([{ n: 1 }, { n: 0.125 }], ['n']), '    n\n1.000\n0.125\n')
})

test('on a terminal the value of a field goes on below itself, in whole words', async () => {
  const narrow = { columns: 30, isColoured: false }
  const row = { scopes: ['patients:read', 'appointments:read'], link: `https://${'a'.repeat(40)}` }
  assert.equal(
    await fieldsText(row, ['scopes', 'link'], narrow),
    [
      'field   value',
      'scopes  patients:read,',
      '        appointments:read',
      `link    https://${'a'.repeat(40)}`,
      '',
    ].join('\n'),
  )
  assert.match(await fieldsText(row, ['scopes'], PIPE), /^scopes {2}patients:read, appointments:read$/m)
})

test('no character in the data steers the terminal or reverses its text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
      const forbidden = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u
      assert.doesNotMatch(cellText(text), forbidden)
      assert.doesNotMatch(safeText(`${text}\u001b[2J\u009b2J\u202e\r\n`), forbidden)
      const json = safeJson(JSON.stringify(`${text}\u009b\u202e\u{e0041}`))
      assert.doesNotMatch(json, forbidden)
      assert.equal(JSON.parse(json), `${text}\u009b\u202e\u{e0041}`)
    }),
    { examples: [['\u001b]8;;http://example.com\u0007']] },
  )
})

test('on a terminal no line is too wide and no grapheme is broken', async () => {
  const layout = { columns: 30, isColoured: true }
  const rows = NAMES.map((name) => ({ id: 'p1', name: name.repeat(9), note: 'x'.repeat(500) }))
  for (const line of (await printed(rows, ['id', 'name', 'note'], layout)).split('\n')) {
    assert.ok(stringWidth(stripVTControlCharacters(line)) <= 30, line)
  }
  await loadMeasure(NAMES)
  for (const name of NAMES) {
    for (let columns = 1; columns <= 12; columns++) {
      const cut = cutText(safeText(name), columns)
      assert.ok(widthOf(cut) <= columns, `${name} in ${columns}`)
      const kept = cut.endsWith('…') ? cut.slice(0, -1) : cut
      const graphemes = Array.from(new Intl.Segmenter().segment(safeText(name)), ({ segment }) => segment)
      assert.ok(graphemes.some((_, i) => graphemes.slice(0, i).join('') === kept) || kept === safeText(name))
    }
  }
})

test('in a pipe nothing is cut', async () => {
  assert.ok((await printed([{ note: 'x'.repeat(5000) }], ['note'])).includes('x'.repeat(5000)))
})

test('a table that is wide enough for them shows the ids that another command needs', async () => {
  const rows = [
    { id: 'a1', patient: { id: 'p1', name: 'Noa' }, providers: [{ id: 'd1' }, { id: 'd2' }], note: 'long'.repeat(9) },
  ]
  const columns = ['id', 'patient.id', 'patient.name', 'providers.id', 'note']
  const header = async (width: number | null) =>
    (await printed(rows, columns, { columns: width, isColoured: false })).split('\n')[0]?.trim().split(/ +/)
  const needed = 'id  patient.id  patient.name  providers.id…'.length
  assert.deepEqual(await header(null), columns)
  assert.deepEqual(await header(needed), ['id', 'patient.id', 'patient.name', 'providers.id…'])
  assert.deepEqual(await header(needed - 1), ['id', 'patient.name', 'note'])
  assert.match(await fieldsText(rows[0] ?? {}, columns, { columns: 20, isColoured: false }), /^patient.id +p1$/m)
})

test('a table of many pages has one header, and a table without rows has it too', async () => {
  async function* pages() {
    yield [{ id: 'a' }]
    yield [{ id: 'longer' }]
  }
  let text = ''
  for await (const part of tableText(pages(), ['id'], PIPE)) text += part
  assert.equal(text, 'id\na\nlonger\n')
  assert.equal(await printed([], ['id', 'name']), 'id  name\n')
})

test('one resource shows one field per line, whole, without the fields that its short form lacks', async () => {
  const row = { id: 'p1', name: 'one\ntwo', status: null, contacts: [{ value: '050' }, { value: 'a@b' }] }
  assert.equal(
    await fieldsText(row, ['id', 'name', 'status.name', 'contacts.value', 'address.city'], {
      columns: 40,
      isColoured: false,
    }),
    'field           value\nid              p1\nname            one two\nstatus.name     -\ncontacts.value  050, a@b\n',
  )
})

test('a path reaches into objects and lists', () => {
  assert.deepEqual(valueAt({ a: [{ b: 1 }, { b: null }] }, 'a.b'), [1, null])
  assert.equal(valueAt({ a: null }, 'a.b'), null)
  assert.equal(valueAt({}, 'a.b'), undefined)
  assert.equal(cellText([]), '-')
})

test('on a terminal long texts give way, and no number, phone or time is cut', async () => {
  const rows = [{ start: '2026-07-14T09:00:00+03:00', note: 'long '.repeat(20), phone: '+972501234567', n: 1200.5 }]
  const columns = ['start', 'note', 'phone', 'n']
  for (let width = 16; width <= 70; width++) {
    const [header = '', row = ''] = (await printed(rows, columns, { columns: width, isColoured: false })).split('\n')
    assert.ok(stringWidth(header) <= width && stringWidth(row) <= width, row)
    assert.match(row, /^2026-07-14 09:00( {2}\S.*)?$/)
    if (/\d/.test(row.slice(17))) assert.match(row, /\+972501234567( {2}1200\.50)?$/)
    if (row.endsWith('1200.50')) assert.doesNotMatch(header, /…$/)
  }
})

test('an embedded resource is shown by its name', () => {
  assert.equal(cellText({ id: 'p1', first_name: 'Dana', last_name: 'Levi' }), 'Dana Levi')
  assert.equal(
    cellText([
      { id: 'd1', name: 'Dr. Cohen' },
      { id: 'd2', name: null },
    ]),
    'Dr. Cohen, d2',
  )
  assert.equal(cellText({ name: 'reminder' }), '{"name":"reminder"}')
})
