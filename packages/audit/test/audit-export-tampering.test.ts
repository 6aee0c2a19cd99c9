// Tampering with the file of an exported audit log: every change is found, by a file and a head alone.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { add, sealed, THREE } from '@clinic-data/testing/grounds/audit-ground'
import { exported, verified } from '@clinic-data/testing/grounds/exported-log'
import { sealHash } from '../src/audit-chain.ts'
import { formatNames } from '../src/export/entries.ts'
import { linesOf } from '../src/export/lines.ts'

/** A file of nine lines: the first one, two seals behind two rows each, a row without a seal, the last one. */
const { clinic } = await sealed()
await add(clinic, `${THREE} 10:00Z`)
const FILE = await exported(clinic)
const LINES = FILE.trimEnd().split('\n')
const [FIRST, ROW_1, ROW_2, SEAL_1, ROW_3, ROW_4, SEAL_2, UNSEALED, LAST] = LINES as [
  ...[string, string, string, string, string, string, string, string, string],
]
const sound = await verified(FILE)
const HEAD = sound.sound ? (sound.head ?? '') : assert.fail(sound.reason)

/** The file of these lines, as somebody makes it who knows how the last line is made. */
function forged(...lines: string[]): string {
  const kept = lines.filter((line) => !line.startsWith('{"type":"end"'))
  const count = (form: RegExp) => kept.filter((line) => form.test(line)).length
  const before = kept.map((line) => `${line}\n`).join('')
  const last = (lines.find((line) => line.startsWith('{"type":"end"')) ?? LAST)
    .replace(/"seals":\d+/, `"seals":${count(/^{"type":"seal"/)}`)
    .replace(/"rows":\d+/, `"rows":${count(/^{"type":"row","id":\d+,"seal":\d/)}`)
    .replace(/"unsealed_rows":\d+/, `"unsealed_rows":${count(/^{"type":"row","id":\d+,"seal":null/)}`)
    .replace(/"sha256":"[0-9a-f]{64}"/, '"sha256":""')
  return `${before}${last.replace('"sha256":""', `"sha256":"${hash('sha256', before + last)}"`)}\n`
}

async function assertFound(text: string, reason: RegExp, at: { line?: number; seal?: number } = {}) {
  const verdict = await verified(text)
  assert.ok(!verdict.sound, 'it was found sound')
  assert.match(verdict.reason, reason)
  for (const [name, value] of Object.entries(at)) assert.equal(verdict[name as 'line' | 'seal'], value, name)
}

test('the file of the tests is sound before it is tampered with, and so is one whose last line is made anew', async () => {
  assert.equal(LINES.length, 9)
  assert.deepEqual(await verified(forged(...LINES)), sound)
})

for (const format of formatNames)
  test(`a file is not sound without any of its lines, with one twice, with two exchanged, or cut off anywhere: ${format}`, async () => {
    const lines = (await exported(clinic, format)).match(/[^\n]*\n/g) ?? []
    assert.ok((await verified(lines.join(''))).sound)
    for (const [n, line] of lines.entries()) {
      const [before, behind] = [lines.slice(0, n), lines.slice(n + 1)]
      const [next = '', ...later] = behind
      for (const changed of [
        [...before, ...behind],
        [...before, line, line, ...behind],
        [...before, next, line, ...later],
        before,
        [...before, line.slice(0, line.length / 2)],
        [...before, line.trimEnd(), ...behind],
        [...before, line, '\n', ...behind],
      ])
        if (changed.join('') !== lines.join(''))
          assert.ok(!(await verified(changed.join(''))).sound, `line ${n + 1} ${JSON.stringify(changed[n])}`)
    }
  })

for (const format of formatNames)
  test(`a file is not sound with any character changed: ${format}`, async () => {
    const text = await exported(clinic, format)
    for (let at = 0; at < text.length; at += 7) {
      const other = text[at] === '0' ? '1' : '0'
      const verdict = await verified(text.slice(0, at) + other + text.slice(at + 1))
      assert.ok(!verdict.sound, text.slice(Math.max(0, at - 20), at + 20))
    }
  })

const fieldsOnly = (line: string) => line.replace('"status":200', '"status":403')
const consistently = (line: string) => fieldsOnly(line).replace(', 2, 200, ', ', 2, 403, ')
const without = (...gone: string[]) => forged(...LINES.filter((line) => !gone.includes(line)))
const instead = (line: string, ...others: string[]) =>
  forged(...LINES.flatMap((one) => (one === line ? others : [one])))

const tampers: [what: string, file: string, reason: RegExp, at: { line?: number; seal?: number }][] = [
  [
    'a field by name',
    instead(ROW_3, fieldsOnly(ROW_3)),
    /fields say otherwise than its canonical text/,
    { line: 5, seal: 2 },
  ],
  [
    'a field twice',
    instead(ROW_3, ROW_3.replace('"status"', '"status":403,"status"')),
    /fields say otherwise/,
    { line: 5 },
  ],
  [
    'a field more',
    instead(ROW_3, ROW_3.replace('"id"', '"note":"checked","id"')),
    /no line of an export|otherwise/,
    { line: 5 },
  ],
  ['a row', instead(ROW_3, consistently(ROW_3)), /its rows were changed/, { line: 7, seal: 2 }],
  [
    'a row that is no row',
    instead(ROW_3, ROW_3.replace(', 2, 200, ', ', 2, true, ')),
    /canonical text is no row/,
    { line: 5 },
  ],
  ['a row removed', without(ROW_2), /covers 2 rows of .*, 1 are there/, { line: 3, seal: 1 }],
  ['all rows of a seal removed', without(ROW_1, ROW_2), /its 2 rows of .* are gone/, { line: 2, seal: 1 }],
  ['a row twice', instead(ROW_3, ROW_3, ROW_3), /is there twice/, { line: 6, seal: 2 }],
  ['two rows exchanged', forged(FIRST, ROW_2, ROW_1, ...LINES.slice(3)), /not in its place/, { line: 3, seal: 1 }],
  ['a seal removed', without(SEAL_1), /it is a row of seal 2, and seal 1 is missing/, { line: 4, seal: 1 }],
  ['the last seal removed', without(SEAL_2), /the seal of the rows before is missing/, { line: 7 }],
  ['a seal removed with its rows', without(ROW_1, ROW_2, SEAL_1), /and seal 1 is missing/, { line: 2, seal: 1 }],
  ['a seal twice', instead(SEAL_1, SEAL_1, SEAL_1), /seal 1 is there twice/, { line: 5 }],
  [
    'a seal',
    instead(SEAL_1, SEAL_1.replace(/"row_count":2/, '"row_count":1')),
    /the seal was changed/,
    { line: 4, seal: 1 },
  ],
  ['the last seal removed with its rows', without(ROW_3, ROW_4, SEAL_2), /goes on to seal 2, which is missing/, {}],
  [
    'the head',
    forged(
      ...LINES.slice(0, 8),
      LAST.replace(/"hash":"(.)/, (_, first) => `"hash":"${first === '0' ? '1' : '0'}`),
    ),
    /head was changed|neither/,
    {},
  ],
  [
    'the clinic',
    instead(FIRST, FIRST.replace(clinic.clinic_id, 'another')),
    /or the clinic or the hash in the first line/,
    { seal: 1 },
  ],
  [
    'the seal before the file',
    instead(FIRST, FIRST.replace('"number":0', '"number":1')),
    /it is a row of seal 1/,
    { line: 2 },
  ],
  ['the format', instead(FIRST, FIRST.replace('ndjson', 'csv')), /says that the export is csv/, { line: 1 }],
  [
    'a sealed row said to be unsealed',
    instead(ROW_4, ROW_4.replace('"seal":2', '"seal":null')),
    /seal of the rows before is missing/,
    {},
  ],
  [
    'an unsealed row said to be sealed',
    instead(UNSEALED, UNSEALED.replace('null', '3')),
    /seal of the rows before is missing/,
    {},
  ],
  ['another export behind it', `${FILE}${FILE}`, /behind the last line/, { line: 10 }],
  ['another export in it', instead(UNSEALED, FIRST), /another export begins/, { line: 8 }],
  [
    'a row without a seal, by somebody who does not make the sum anew',
    FILE.replace(UNSEALED, consistently(UNSEALED)),
    /their sum/,
    {},
  ],
  ['a version', instead(FIRST, FIRST.replace('"version":1', '"version":3')), /another version of clinicd/, { line: 1 }],
]

for (const [what, file, reason, at] of tampers)
  test(`found in a file whose last line was made anew: ${what}`, () => assertFound(file, reason, at))

test('rows that are left out as dropped or outside of the period are found in the middle, and told at the ends', async () => {
  const saying = (line: string, rows: string) => line.replace('"rows":"here"', `"rows":"${rows}"`)
  await assertFound(forged(FIRST, ROW_1, ROW_2, SEAL_1, saying(SEAL_2, 'dropped')), /rows of .* are gone, and those of/)
  await assertFound(forged(FIRST, ROW_1, ROW_2, SEAL_1, saying(SEAL_2, 'outside')), /no end of a period/)
  const bounded = FIRST.replace('"until":null', '"until":"2026-07-12T00:00:00.000Z"')
  await assertFound(
    forged(bounded, saying(SEAL_1, 'outside'), ROW_3, ROW_4, SEAL_2),
    /rows of the seals before it are left out/,
  )
  await assertFound(instead(SEAL_1, saying(SEAL_1, 'dropped')), /rows stand before it/)
  const dropped = await verified(forged(FIRST, saying(SEAL_1, 'dropped'), ROW_3, ROW_4, SEAL_2))
  assert.ok(dropped.sound && dropped.dropped?.last === 1 && dropped.there?.first === 2)
  const outside = await verified(forged(bounded, ROW_1, ROW_2, SEAL_1, saying(SEAL_2, 'outside')))
  assert.ok(outside.sound && outside.outside === 1 && outside.there?.last === 1)
})

test('a file that was made anew as a whole is found by a head that was kept elsewhere, and by it alone', async () => {
  const changed = consistently(ROW_1)
  const rows = [changed, ROW_2].map((line) => JSON.parse(line).canonical)
  const { type: _, rows: __, hash: former, ...seal } = JSON.parse(SEAL_1)
  const made = { ...seal, rows_hash: hash('sha256', rows.join('\n')) }
  const anew = sealHash(clinic.clinic_id, '', made)
  const sealLine = SEAL_1.replace(seal.rows_hash, made.rows_hash).replace(former, anew)
  const last = LAST.replace(/"number":2,"hash":"[0-9a-f]{64}"/, `"number":1,"hash":"${anew}"`)
  const file = forged(FIRST, changed, ROW_2, sealLine, last)
  assert.ok((await verified(file)).sound)
  for (const [expected, reason] of [
    [HEAD, /is of seal \d+, and the file ends at seal 1: the head is later than the export, or the end/],
    [`1.${former}`, /another seal 1 is in its place/],
  ] as const) {
    const verdict = await verified(file, expected)
    assert.ok(!verdict.sound && reason.test(verdict.reason), JSON.stringify(verdict))
  }
})

test('an expected head proves the rows up to it, and one from before the file proves none', async () => {
  const first = `1.${JSON.parse(SEAL_1).hash}`
  const upTo = async (expected: string, file = FILE) => {
    const verdict = await verified(file, expected)
    return verdict.sound ? verdict.proven_to : verdict.reason
  }
  assert.equal(await upTo(HEAD), 2)
  assert.equal(await upTo(first), 1)
  assert.match(String(await upTo(`2.${'0'.repeat(64)}`)), /another seal 2/)
  assert.match(String(await upTo(`3.${'0'.repeat(64)}`)), /ends at seal 2/)
  const { day } = JSON.parse(SEAL_2)
  const second = await exported(clinic, 'ndjson', { since: `${day}T00:00:00.000Z`, until: null })
  assert.match(String(await upTo(first, second)), /before the first seal of the file, 2: it proves no row/)
  assert.equal(await upTo(HEAD, second), 2)
})

test('what is no export is said to be none, whatever it is', async () => {
  await assertFound('', /the file is empty/, { line: 0 })
  for (const text of [
    '\n',
    'type,id\n',
    '{}\n',
    '{"data":[]}\n',
    '[1]\n',
    '\u0000\u0001\n',
    '{"type":"seal"}\n',
    `${FILE.slice(1)}`,
  ])
    await assertFound(text, /no audit log that clinicd has exported|neither a row nor a seal/, { line: 1 })
  await assertFound(without(FIRST), /the first line of the export is missing/, { line: 1 })
  await assertFound('no line feed', /cut off in the middle/, { line: 1 })
  const latin = await verified(Buffer.concat([Buffer.from(`${FIRST}\n`), Buffer.from([0xe9, 0x0a])]))
  assert.deepEqual(latin, { sound: false, line: 2, seal: 1, reason: 'it is no UTF-8' })
})

test('a line that never ends is not read further than a line may be long', async () => {
  let read = 0
  async function* endless() {
    for (;;) {
      read++
      yield Buffer.alloc(1024, 0x61)
    }
  }
  await assert.rejects(linesOf(endless(), 100_000).next(), /longer than 100000 bytes/)
  assert.equal(read, 98)
})
