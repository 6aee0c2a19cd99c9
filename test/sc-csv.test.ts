// `sc --format csv`: rows for a spreadsheet.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { readCsv } from '@clinic-data/importers/csv/csv-reader'
import { newFolder, sc } from './sc.ts'
import { fake, json, variables } from './sc-service.ts'

const BOM = '\uFEFF'
async function lines(out: string): Promise<string[][]> {
  const folder = await newFolder()
  const path = join(folder, 'rows.csv')
  await writeFile(path, out)
  const found: string[][] = []
  for await (const rows of readCsv(path)) {
    for (const { values, fault } of rows) {
      assert.equal(fault, null)
      found.push(values)
    }
  }
  await rm(folder, { recursive: true })
  return found
}

const csv = async (...words: string[]) => {
  const { code, out, errors } = await sc([...words, '--format', 'csv'], { variables, columns: 80 })
  assert.equal(code, 0, errors)
  assert.ok(out.startsWith(BOM) && out.endsWith('\r\n'))
  return lines(out)
}

test('every page is under one header, and each row has all columns, also on a terminal', async () => {
  const [header = [], ...rows] = await csv('patients', 'list', '--all', '--limit', '7')
  const whole = JSON.parse((await sc(['patients', 'list', '--all', '--format', 'json'], { variables })).out).data
  const ids = rows.map((row) => row[header.indexOf('id')])
  assert.deepEqual(
    ids,
    whole.map(({ id }: { id: string }) => id),
  )
  const wide = await sc(['patients', 'list'], { variables })
  assert.deepEqual(header, (wide.out.split('\n')[0] ?? '').split(/ {2,}/))
})

test('one resource is one line, and --columns chooses what it has', async () => {
  const [row] = JSON.parse((await sc(['appointments', 'list', '--limit', '1', '--format', 'json'], { variables })).out)
    .data as [{ id: string; patient: { id: string }; status: { name: string } }]
  const columns = 'status.name,patient.id,id'
  for (const words of [
    ['appointments', 'get', row.id],
    ['appointments', 'list', '--limit', '1'],
  ])
    assert.deepEqual(await csv(...words, '--columns', columns), [
      columns.split(','),
      [row.status.name, row.patient.id, row.id],
    ])
})

test('what others write stays in its cell, is no formula, and cannot steer a terminal', async () => {
  const environment = await fake((_, response) =>
    json(response, 200, {
      data: [
        { id: '=1+1', first_name: '@cmd, "x"\r\n=2', last_name: '\x1b-1', email: null, chart_number: '-' },
        { id: 'p2', first_name: '', last_name: 'a;=3', email: 'a@b.example', chart_number: '+972501' },
      ],
      next_cursor: null,
    }),
  )
  const chosen = ['patients', 'list', '--columns', 'id,first_name,last_name,email', '--format', 'csv']
  const { out } = await sc(chosen, { variables: environment })
  assert.deepEqual(await lines(out), [
    ['id', 'first_name', 'last_name', 'email'],
    ["'=1+1", `'@cmd, "x" =2`, "' -1", ''],
    ['p2', '', "a;'=3", 'a@b.example'],
  ])
})

test('figures have a line for each group and no total, and a dataset one for each of its parts', async () => {
  const period = 'payment_date:between:2026-01-01..2026-12-31'
  const figures = ['query', 'payments', '-m', 'payment_count', '-b', 'method', '-f', period]
  const [header = [], ...groups] = await csv(...figures)
  assert.deepEqual([header[0], header.at(-1)], ['method', 'payment_count'])
  assert.ok(groups.length > 0 && groups.every(([method]) => method !== 'total'))
  const [datasets = [], ...all] = await csv('metrics')
  assert.equal(datasets[0], 'name')
  assert.ok(all.some(([name]) => name === 'payments'))
  const [parts = [], ...named] = await csv('metrics', 'payments')
  assert.deepEqual(parts.slice(0, 2), ['part', 'name'])
  assert.ok(named.some(([part, name]) => part === 'measures' && name === 'payment_count'))
})

test('a list without rows is a header, and errors stay words', async () => {
  const nobody = await sc(['patients', 'list', '--query', 'nobodyhasthisname', '--format', 'csv'], { variables })
  assert.equal((await lines(nobody.out)).length, 1)
  assert.match(nobody.errors, /^no rows\n/)
  const missing = await sc(['patients', 'get', 'no-such', '--format', 'csv'], { variables })
  assert.deepEqual([missing.code, missing.out], [3, ''])
  assert.match(missing.errors, /^error: /)
})

test('what has no rows refuses CSV before anything is sent', async () => {
  const unreachable = { ...variables, SC_BASE_URL: 'http://127.0.0.1:1' }
  for (const words of [['api', '/v1/me'], ['schema'], ['patients', 'list', '--fields', 'id']]) {
    const { code, out, errors } = await sc([...words, '--format', 'csv'], { variables: unreachable })
    assert.deepEqual([code, out], [2, ''], words.join(' '))
    assert.match(errors, /is for (rows|JSON)/)
  }
})
