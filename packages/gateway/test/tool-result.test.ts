// A cut result: each row once, only the fields that were asked for, and the audit log names exactly what was shown.
import assert from 'node:assert/strict'
import test from 'node:test'
import { auditedIn } from '@clinic-data/contract/audited'
import { type CutCursor, listResult } from '../src/mcp/tool-result.ts'

const ROWS = Array.from({ length: 30 }, (_, n) => ({
  id: `r${n}`,
  patient: { id: `p${n}` },
  name: 'n',
  note: 'x'.repeat(3_000),
}))
const whose = (rows: readonly unknown[]) => auditedIn({ patients: 'patient' }, { data: rows })
const OUTPUT = { status: 200, audited: whose(ROWS), body: JSON.stringify({ data: ROWS }) }

function shown(after: CutCursor | null, fields: readonly string[] | null = null) {
  let next: CutCursor | null = null
  const seal = (cursor: CutCursor) => {
    next = cursor
    return 'sealed'
  }
  const { text, audited } = listResult(OUTPUT, { fields, path: ['data'], after, seal, auditedIn: whose })
  const { data } = JSON.parse(text) as { data: { id: string }[] }
  return { data, next: next as CutCursor | null, audited, length: text.length }
}

test('the parts of a cut list hold each row once, and each audit row names the rows of its part', () => {
  const ids: string[] = []
  let after: CutCursor | null = null
  do {
    const part = shown(after)
    assert.ok(part.length <= 40_000)
    const own = part.data.map(({ id }) => id)
    assert.deepEqual([part.audited?.resource_ids, part.audited?.count], [own, own.length])
    assert.deepEqual(
      part.audited?.patient_ids,
      own.map((id) => id.replace('r', 'p')),
    )
    ids.push(...own)
    after = part.next
  } while (after !== null)
  assert.deepEqual(ids, OUTPUT.audited.resource_ids)
})

test('rows hold the fields that were asked for and no other', () => {
  const { data, next } = shown(null, ['name'])
  assert.deepEqual([data.length, next], [30, null])
  for (const row of data) assert.deepEqual(row, { name: 'n' })
})
