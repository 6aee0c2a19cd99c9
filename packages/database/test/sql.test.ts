// Statements before they are sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type SqlValue, type Statement, sql } from '../src/sql.ts'
import { arrayElements } from '../src/values/array-elements.ts'

const rendered = (statement: Statement) => {
  const { text, values } = statement.render()
  return { text, values }
}

test('a value becomes a parameter, never text', () => {
  assert.deepEqual(rendered(sql`select ${"'; drop table note"} as a, ${1} as b`), {
    text: 'select $1 as a, $2 as b',
    values: ["'; drop table note", '1'],
  })
})

test('a nested statement is inserted and its values are renumbered', () => {
  const filter = sql`a = ${1} and b in (${sql.join([sql`${2}`, sql`${3}`])})`
  assert.deepEqual(rendered(sql`select ${0} from t where ${filter} ${sql.empty} limit ${4}`), {
    text: 'select $1 from t where a = $2 and b in ($3, $4)  limit $5',
    values: ['0', '1', '2', '3', '4'],
  })
})

test('a statement that is used twice keeps its own values', () => {
  const part = sql`x = ${'x'}`
  assert.deepEqual(rendered(sql.join([part, part], sql` or `)), { text: 'x = $1 or x = $2', values: ['x', 'x'] })
  assert.deepEqual(rendered(part), { text: 'x = $1', values: ['x'] })
})

test('a statement that is composed again of the same fragments has the text of before and its own values', () => {
  const composed = (name: string, value: number) =>
    sql`select from ${sql.identifier(name)} where ${sql.join([sql`a = ${value}`, sql`b`], sql` and `)} limit ${value}`
  const [first, second, other] = [composed('t', 1), composed('t', 2), composed('u', 1)]
  // When many others were composed in this process all are forgotten, perhaps right now. Then the next ones are kept again.
  const chunks = [first, second, composed('t', 3), composed('t', 4)].map((one) => one.chunks)
  assert.ok(chunks.some((one, i) => i > 0 && one === chunks[i - 1]))
  assert.deepEqual(rendered(first), { text: 'select from "t" where a = $1 and b limit $2', values: ['1', '1'] })
  assert.deepEqual(rendered(second), { text: 'select from "t" where a = $1 and b limit $2', values: ['2', '2'] })
  assert.deepEqual(rendered(other), { text: 'select from "u" where a = $1 and b limit $2', values: ['1', '1'] })
})

test('a value in the place of a fragment, and a join in the place of another, give another text', () => {
  const around = (part: SqlValue | Statement) => rendered(sql`(${part})`).text
  assert.equal(around(sql`a`), '(a)')
  assert.equal(around('a'), '($1)')
  assert.equal(around(sql.join([sql`a`, sql`b`])), '(a, b)')
  assert.equal(around(sql.join([sql`a`, sql`b`], sql`, `)), '(a, b)')
  assert.equal(around(sql.join([sql`a`, sql`b`], sql` or `)), '(a or b)')
  assert.equal(around(sql.join([sql`a`])), '(a)')
})

test('a value and a fragment that change places give another text', () => {
  const both = (one: number | Statement, other: number | Statement) => rendered(sql`${one} and ${other}`)
  const f = sql`f`
  assert.deepEqual(both(f, 1), { text: 'f and $1', values: ['1'] })
  assert.deepEqual(both(1, f), { text: '$1 and f', values: ['1'] })
})

test('after more different statements than are kept, texts are as before', () => {
  const composed = (value: number) => rendered(sql`select ${sql`${value}`}, ${sql`${value}`}`)
  for (let n = 0; n < 11_000; n++) assert.equal(rendered(sql.identifier(`n${n}`)).text, `"n${n}"`)
  assert.deepEqual(composed(1), { text: 'select $1, $2', values: ['1', '1'] })
})

test('an empty join is empty', () => {
  assert.deepEqual(rendered(sql`a${sql.join([])}b`), { text: 'ab', values: [] })
})

test('an identifier is a plain name or is refused', () => {
  assert.equal(rendered(sql`select ${sql.identifier('clinic_id')}`).text, 'select "clinic_id"')
  for (const name of ['', 'A', 'a b', 'a"b', '1a', 'a.b', 'a\n', 'a'.repeat(64)]) {
    assert.throws(() => sql.identifier(name), TypeError, name)
  }
})

test('each kind of value has the text that PostgreSQL reads', () => {
  const kinds: [SqlValue, string | null][] = [
    [null, null],
    ['', ''],
    [-1.5, '-1.5'],
    [1e21, '1e+21'],
    [9007199254740993n, '9007199254740993'],
    [true, 't'],
    [false, 'f'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [Uint8Array.of(0, 255), '\\x00ff'],
    [[], '{}'],
    [['a', 'N"U\\LL', 'NULL', null], '{"a","N\\"U\\\\LL","NULL",NULL}'],
    [[1, 2n, true], '{"1","2","t"}'],
  ]
  for (const [value, text] of kinds) assert.deepEqual(sql`${value}`.render().values, [text])
})

test('a value without an exact text is refused', () => {
  const values: unknown[] = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '\ud800',
    'a\0b',
    ['\udfff'],
    [undefined],
    [[1]],
    {},
    Symbol('a'),
    () => 1,
    new Date(Number.NaN),
    new Date(8.64e15),
    new Date('-000001-01-01T00:00:00Z'),
  ]
  for (const value of values) {
    assert.throws(
      () => sql`${value as SqlValue}`.render(),
      (error) => error instanceof TypeError || error instanceof RangeError,
    )
  }
})

test('any array of texts is read back unchanged', () => {
  const text = fc.option(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('NULL', '', '{', '"', '\\', ',', ' ')),
  )
  fc.assert(
    fc.property(fc.array(text), (values) => {
      const clean = values.map((value) => value?.replaceAll('\0', '') ?? null)
      const [sent] = sql`${clean}`.render().values
      assert.deepEqual(arrayElements(sent ?? ''), clean)
    }),
  )
})

test('arrays are read as PostgreSQL prints them, and those of more dimensions are refused', () => {
  assert.deepEqual(arrayElements('{}'), [])
  assert.deepEqual(arrayElements('{a,NULL,"NULL","b c",1.5}'), ['a', null, 'NULL', 'b c', '1.5'])
  assert.throws(() => arrayElements('{{1},{2}}'), RangeError)
  assert.throws(() => arrayElements('[0:1]={1,2}'), RangeError)
})

test('a text always has the same name, and another text another', () => {
  const name = (statement: Statement) => statement.render().name
  const byId = (id: string) => sql`select ${id}`
  assert.equal(name(byId('a')), name(byId('b')))
  assert.equal(name(byId('a')), name(sql.join([sql`select `, sql`${1}`], sql.empty)))
  assert.notEqual(name(sql`select 1`), name(sql`select  1`))
  assert.ok(Buffer.byteLength(name(byId('a')) ?? '') < 64)
})

test('given rows become one array for each column that is named', () => {
  const rows = [
    { id: 'a', at: new Date(0), other: true },
    { id: 'b', at: null, other: false },
  ]
  const relation = sql.input(rows, { timestamptz: ['at'], text: ['id'] })
  assert.deepEqual(rendered(sql`select ${1} from ${relation}`), {
    text: 'select $1 from unnest($2::timestamptz[], $3::text[]) as input ("at", "id")',
    values: ['1', '{"1970-01-01T00:00:00.000Z",NULL}', '{"a","b"}'],
  })
})

test('given rows have one text, however many they are', () => {
  const text = (...ids: string[]) =>
    sql
      .input(
        ids.map((id) => ({ id })),
        { text: ['id'] },
      )
      .render().text
  assert.equal(text(), text('a', 'b', 'c'))
})

test('a values list is numbered through, and its first row is cast', () => {
  const rows = [
    ['a', 1],
    ['b', null],
  ]
  assert.deepEqual(rendered(sql`select * from (values ${sql.values(rows, ['text', 'int8'])}) as v`), {
    text: 'select * from (values ($1::text, $2::int8), ($3, $4)) as v',
    values: ['a', '1', 'b', null],
  })
  assert.throws(() => sql.values([]), RangeError)
  assert.throws(() => sql.values([[1], [1, 2]]), RangeError)
  assert.throws(() => sql.values([[1]], ['int); drop table note; --']), TypeError)
})

test('a bulk insert is not kept prepared', () => {
  assert.equal(sql.values(Array.from({ length: 200 }, (_, i) => [i])).render().name, undefined)
})

test('rows are split into statements of at most 65,535 values', () => {
  const rows = Array.from({ length: 70_000 }, (_, i) => [i, 'x', null])
  const chunks = sql.chunkRows(rows, 1)
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [21_844, 21_844, 21_844, 4_468],
  )
  assert.deepEqual(chunks.flat(), rows)
  assert.equal(sql.values(chunks[0] ?? []).render().values.length, 65_532)
  assert.deepEqual(sql.chunkRows([]), [])
  assert.throws(() => sql.values(rows).render(), RangeError)
})
