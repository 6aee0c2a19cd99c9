// The form of the audit log at rest: rows read back as they were written, names and kinds are always found, and other bytes are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { owner } from '@clinic-data/testing/grounds/packed-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { rowsBehind, type SealedRow } from '../src/audit-chain.ts'
import { mayNameOne, slotsOf, wantedFor } from '../src/segments/fingerprints.ts'
import { type KindFilter, kindPattern, kindsOf } from '../src/segments/kinds.ts'
import { canonicalText, type LogRow, parseCanonical } from '../src/segments/log-row.ts'
import { Numbers, reachOneSum, readNumbers, readSteps, writeNumbers, writeSteps } from '../src/segments/numbers.ts'
import { Segment } from '../src/segments/segment.ts'
import { Texts, writeTexts } from '../src/segments/texts.ts'
import { writeSegment } from '../src/segments/write-segment.ts'

/** Any text that PostgreSQL stores. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((any) => any.replaceAll('\0', ''))
const name = fc.oneof(text, fc.constantFrom('', 'p1', 'p2', 'ü', '\u2028"\\\u0001\u007f'))
const LATEST_US = Date.UTC(2100, 0) * 1000

const logRow: fc.Arbitrary<LogRow> = fc.record(
  {
    id: fc.nat(2 ** 50),
    stored_us: fc.integer({ min: 0, max: LATEST_US }),
    at_ms: fc.integer({ min: 0, max: LATEST_US / 1000 }),
    key_id: name,
    operation: name,
    surface: fc.constantFrom('rest', 'mcp', 'console'),
    resource_ids: fc.array(name, { maxLength: 6 }),
    count: fc.nat(),
    status: fc.integer({ min: 100, max: 599 }),
    request_id: name,
    address: name,
    duration_ms: fc.option(fc.nat()),
  },
  { noNullPrototype: true },
)

const rows = fc.array(logRow, { minLength: 1, maxLength: 30 })

test('rows read back as they were written, each by itself and all together', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const content = writeSegment(all)
      assert.deepEqual(new Segment(content).rows(), all)
      assert.deepEqual([...new Segment(content).rowsAt([all.length - 1])], [all.at(-1)])
    }),
    { numRuns: 50 },
  )
})

test('a segment finds exactly the rows that name a text, and the rows of a kind', () => {
  fc.assert(
    fc.property(rows, name, (all, wanted) => {
      const segment = new Segment(writeSegment(all))
      const places = (is: (row: LogRow) => boolean) => all.flatMap((row, place) => (is(row) ? [place] : []))
      const others = all.flatMap((row) => row.resource_ids)
      for (const names of [
        [wanted],
        [wanted, 'nobody', wanted],
        [wanted, ...others.slice(9), ...Array(9).fill('nobody')],
      ])
        assert.deepEqual(
          segment.rowsNaming(names),
          places(({ resource_ids }) => resource_ids.some((id) => names.includes(id))),
        )
      const found = segment.rowsOfKind({ key_ids: [wanted, 'nobody'], statusClasses: [2, 4] }, 0, LATEST_US / 2)
      const isOfKind = ({ key_id, status, stored_us }: LogRow) =>
        key_id === wanted && [2, 4].includes(Math.floor(status / 100)) && stored_us < LATEST_US / 2
      assert.deepEqual(found, places(isOfKind))
    }),
    { numRuns: 50 },
  )
})

test('the text of a row is PostgreSQL’s own, whatever characters and times it has', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const stored = ['2026-07-12 06:30:00Z', '2026-07-12 06:30:00.1Z', '2026-07-12 06:30:00.123456Z', '1970-01-01 00:00Z']
  for (const stored_at of stored)
    await owner.query(sql`insert into audit (clinic_id, stored_at, at, key_id, operation, surface, resource_ids, count, status,
        request_id, address)
      values (${clinic_id}, ${stored_at}, ${stored_at}, ${'k "\\/\u007f'}, ${'\b\f\n\r\t\u0001\u001f'}, 'rest',
        ${['', 'NULL', '{}', 'a,b', '漢', '\u2028', '😀']}::text[], -1, 200, ${''}, ${'é'})`)
  const read = await owner.read<SealedRow>(utcSession(clinic_id), rowsBehind(clinic_id, 0, Number.MAX_SAFE_INTEGER, 9))
  assert.equal(read.length, stored.length)
  for (const { content } of read) assert.equal(canonicalText(parseCanonical(content, null)), content)
})

test('no name of a segment is ever missed by its fingerprint, however many there are', () => {
  for (const count of [1, 128, 129, 5_000, 150_000]) {
    const names = Array.from({ length: count }, (_, n) => `name-${n}`)
    const slots = slotsOf(names)
    const isFound = (...wanted: string[]) => slots.some((slot) => mayNameOne(slot, wantedFor(wanted)))
    for (const one of names.filter((_, n) => n % Math.ceil(count / 200) === 0)) assert.ok(isFound('nobody', one), one)
    const strangers = Array.from({ length: 300 }, (_, n) => `stranger-${n}`)
    assert.ok(strangers.filter((one) => isFound(one)).length < 3, `${count}: strangers are not found`)
  }
})

test('the pattern of a kind finds exactly the segments that have such a row', async () => {
  const kind = fc.record({
    key_id: fc.constantFrom('key_1', 'key_12', 'operator:a.b*', 'a\tb\nc', '(é|', 'operator:😀'),
    operation: fc.constantFrom('patients.get', 'patientsXget', 'get'),
    surface: fc.constantFrom('rest', 'mcp'),
    status: fc.constantFrom(200, 404, 500),
  })
  const wanted = fc.record(
    {
      key_ids: fc.subarray(['key_1', 'operator:a.b*', 'a\tb\nc', '(é|', 'operator:😀'], { minLength: 1 }),
      operations: fc.subarray(['patients.get', 'get'], { minLength: 1 }),
      surfaces: fc.subarray(['rest', 'file'], { minLength: 1 }),
      statusClasses: fc.subarray([2, 4, 5], { minLength: 1 }),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 4 }), wanted, async (all, filter: KindFilter) => {
      const pattern = kindPattern(filter)
      const isOne = (row: (typeof all)[number]) =>
        (filter.key_ids?.includes(row.key_id) ?? true) &&
        (filter.operations?.includes(row.operation) ?? true) &&
        (filter.surfaces?.includes(row.surface) ?? true) &&
        (filter.statusClasses?.includes(Math.floor(row.status / 100)) ?? true)
      if (pattern === null) return assert.deepEqual(filter, {})
      const { rows: found } = await owner.query<{ is: boolean }>(sql`select ${kindsOf(all)}::text ~ ${pattern} as is`)
      assert.equal(found[0]?.is, all.some(isOne))
    }),
    { numRuns: 60 },
  )
})

test('numbers and texts read back, and what is cut is refused', () => {
  const numbers = [0, 127, 128, 16_383, 16_384, 2 ** 32, Number.MAX_SAFE_INTEGER]
  assert.deepEqual([...readNumbers(writeNumbers(numbers))], numbers)
  assert.deepEqual([...readSteps(writeSteps([5, 3, 3, -2, 2 ** 50]))], [5, 3, 3, -2, 2 ** 50])
  assert.throws(() => readNumbers(writeNumbers([300]).subarray(0, 1)), RangeError)
  const texts = ['', 'b', 'aa', '', 'ab', 'ü', 'aa']
  const bytes = writeTexts(texts)
  assert.deepEqual(new Texts(bytes).all(), texts)
  assert.deepEqual(
    ['aa', 'ab', 'b', '', 'x', 'aaa'].map((one) => new Texts(bytes).indexOf(one)),
    [2, 4, 1, 0, -1, -1],
  )
  for (let length = 0; length < bytes.length; length++)
    assert.throws(() => new Texts(bytes.subarray(0, length)), RangeError, `cut after ${length}`)
  assert.throws(() => new Texts(bytes).at(texts.length), RangeError)
})

test('a number that is found in the bytes of its column is the one that is read with all, and so are its places', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.maxSafeNat())
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const bytes = writeNumbers(values)
      const [found, read] = [new Numbers(bytes), new Numbers(bytes)]
      assert.deepEqual([...read.all()], values)
      for (const [place, number] of values.entries()) {
        for (const numbers of [found, read]) {
          assert.equal(numbers.at(place), number)
          assert.deepEqual(Array.from(numbers.from(place, 1)), [number])
          assert.deepEqual(numbers.placesOf(number), placesIn(values, number))
        }
      }
      assert.deepEqual(Array.from(found.from(0, values.length)), values)
    }),
    { numRuns: 200 },
  )
  for (const isRead of [false, true]) {
    const numbers = new Numbers(writeNumbers([1, 2]))
    if (isRead) numbers.all()
    assert.throws(() => numbers.at(2), RangeError)
    assert.throws(() => numbers.from(1, 2), RangeError)
  }
  // The bytes of 129 end those of the other.
  assert.deepEqual(new Numbers(writeNumbers([5 + 129 * 128, 129])).placesOf(129), [1])
})

test('a sum of the first distances is found, and no other', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40_000 })), (distances) => {
      const sums = distances.map((_, end) => distances.slice(0, end + 1).reduce((sum, one) => sum + one, 0))
      const bytes = writeNumbers(distances)
      for (const sum of sums) {
        assert.ok(reachOneSum(bytes, new Set([sum])))
        assert.equal(reachOneSum(bytes, new Set([sum + 1])), sums.includes(sum + 1))
      }
    }),
    { numRuns: 200 },
  )
})

function placesIn(values: readonly number[], wanted: number): number[] {
  return [...values.keys()].filter((place) => values[place] === wanted)
}

test('a segment that is cut anywhere is refused', () => {
  const content = writeSegment([
    {
      id: 1,
      stored_us: 1,
      at_ms: 0,
      key_id: 'k',
      operation: 'o',
      surface: 'rest',
      resource_ids: ['a'],
      count: 1,
      status: 200,
      request_id: 'r',
      address: 'x',
      duration_ms: 1,
    },
  ])
  for (let length = 0; length < content.length; length++)
    assert.throws(() => new Segment(content.subarray(0, length)).rows(), Error, `cut after ${length}`)
})
