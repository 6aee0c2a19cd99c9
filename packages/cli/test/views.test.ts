// The result of a query on a terminal and in a pipe, the description of a dataset, and the progress line.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Progress } from '@clinic-data/cli/output/progress'
import { metricsText } from '@clinic-data/cli/views/metrics'
import { barOf, groupColumns, queryText, truncationHint } from '@clinic-data/cli/views/query'
import type { Layout } from '@clinic-data/cli/views/table'
import { transcriptText } from '@clinic-data/cli/views/transcript'
import { DatasetDescriptor, QueryResult } from '@clinic-data/contract/analytics/query'
import { exampleOf } from '@clinic-data/contract/schema'

const PIPE: Layout = { columns: null, isColoured: false }
const TERMINAL: Layout = { columns: 90, isColoured: false }

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

const result = {
  ...exampleOf(QueryResult),
  rows: [
    { provider: 'a', provider_label: 'Dana', net_revenue: 800 },
    { provider: 'b', provider_label: null, net_revenue: -200.5 },
    { provider: null, provider_label: null, net_revenue: null },
  ],
  totals: { net_revenue: 599.5 },
  dimensions: ['provider'],
}

test('in a pipe the groups come before their total, without bars', async () => {
  assert.equal(
    await textOf(queryText(result, PIPE, true)),
    [
      'provider  provider_label  net_revenue',
      'a         Dana                 800.00',
      'b         -                   -200.50',
      '-         -                         -',
      'total                          599.50',
      '',
    ].join('\n'),
  )
})

test('on a terminal names and measures come before ids, which are the first to be left out', async () => {
  assert.equal(
    await textOf(queryText(result, TERMINAL, false)),
    [
      'provider_label  net_revenue  provider',
      'Dana                 800.00  a',
      '-                   -200.50  b',
      '-                         -  -',
      'total                599.50',
      '',
    ].join('\n'),
  )
  const rows = result.rows.map((row) => ({ ...row, treatment_count: 7 }))
  const two = { ...result, rows, measures: ['net_revenue', 'treatment_count'] }
  const [header] = (await textOf(queryText(two, { columns: 48, isColoured: false }, true))).split('\n')
  assert.equal(header, 'provider_label  net_revenue  treatment_count …')
})

test('on a terminal the first measure has a bar as long as its share of the largest value, unless bars are off', async () => {
  const lines = (await textOf(queryText(result, TERMINAL, true))).split('\n')
  assert.match(lines[0] ?? '', /provider {2}bar$/)
  assert.ok(lines[1]?.endsWith(`  ${'█'.repeat(40)}`))
  assert.match(lines[2] ?? '', / {2}-█{9}/)
  assert.match(lines[3] ?? '', / -$/)
})

test('bars take the room that the other columns leave: none is cut, and there are none where too little is left', async () => {
  const barsAt = async (columns: number) => {
    const text = await textOf(queryText(result, { columns, isColoured: false }, true))
    assert.ok(!text.includes('█…'), text)
    return text.split('\n')[1]?.match(/█*$/)?.[0].length
  }
  assert.deepEqual(await Promise.all([44, 46, 47, 60, 120].map(barsAt)), [0, 0, 8, 21, 40])
})

test('a bar is never longer than its column and has eighths of a character', () => {
  assert.equal(barOf(100, 100, 10), '█'.repeat(10))
  assert.equal(barOf(51, 100, 10), `${'█'.repeat(5)}▏`)
  assert.equal(barOf(-100, 100, 10), `-${'█'.repeat(9)}`)
  for (const nothing of [0, null, undefined, 'text']) assert.equal(barOf(nothing, 100, 10), '')
  assert.equal(barOf(0, 0, 10), '')
})

test('without a dimension the only row is the total, and without rows only the header is printed', async () => {
  const whole = { ...result, rows: [{ net_revenue: 599.5 }], dimensions: [] }
  assert.equal(await textOf(queryText(whole, PIPE, true)), 'net_revenue\n     599.50\n')
  const header = await textOf(queryText({ ...result, rows: [] }, TERMINAL, true))
  assert.equal(header, 'provider  net_revenue\n')
})

test('an answer without rows has the columns of one with rows', () => {
  const columns = (rows: readonly object[]) =>
    groupColumns({ ...result, dimensions: ['provider', 'effective_date'], rows })
  assert.deepEqual(columns([]), ['provider', 'provider_label', 'effective_date', 'net_revenue'])
  assert.deepEqual(columns(result.rows), columns([]))
})

test('a result that was cut says how many groups there are', () => {
  assert.equal(truncationHint(result), null)
  assert.match(truncationHint({ ...result, truncated: true, group_count: 48 }) ?? '', /48 groups, 3 are shown/)
})

test('one dataset shows its measures, dimensions and filters, several show one line each', async () => {
  const dataset = exampleOf(DatasetDescriptor)
  const one = await textOf(metricsText({ datasets: [dataset] }, PIPE, ['name', 'description']))
  for (const part of [
    /^treatments: /,
    /effective_date:between:/,
    /\nnet_revenue +sum +currency +payments:read/,
    /\nprovider +id_list +in, not_in/,
  ])
    assert.match(one, part)
  const both = await textOf(metricsText({ datasets: [dataset, dataset] }, PIPE, ['name', 'description']))
  assert.equal(both.split('\n').length, 4)
})

test('on a terminal a dataset has its names whole and its sentences in whole words', async () => {
  const narrow = { columns: 60, isColoured: false }
  const dataset = exampleOf(DatasetDescriptor)
  const name = 'patients_with_a_plan_and_a_payment_count'
  const measures = [{ ...dataset.measures[0], name, description: 'Patients who have both a plan and a payment.' }]
  const description = 'Recorded treatments, by the provider and by the day on which each of them was performed.'
  const lines = (await textOf(metricsText({ datasets: [{ ...dataset, measures, description }] }, narrow, []))).split(
    '\n',
  )
  assert.deepEqual(lines.slice(0, 2), [
    'treatments: Recorded treatments, by the provider and by the',
    'day on which each of them was performed.',
  ])
  assert.ok(lines.some((line) => line.startsWith(`${name}  `)))
  assert.ok(lines.some((line) => /^measures +unit/.test(line)))
})

test('progress rewrites one line of a terminal and clears it, and elsewhere prints an occasional line', async () => {
  let written = ''
  const sink = (isTerminal: boolean) => ({
    isTerminal,
    columns: 80,
    write: async (text: string) => {
      written += text
    },
  })
  const onTerminal = new Progress(sink(true))
  await onTerminal.say('100 rows')
  await onTerminal.show('too soon')
  await onTerminal.end()
  await onTerminal.end()
  assert.equal(written, '\r\u001b[K100 rows\r\u001b[K')
  written = ''
  const elsewhere = new Progress(sink(false))
  await elsewhere.show('too soon')
  await elsewhere.say('waiting 7 s')
  await elsewhere.end()
  assert.equal(written, 'waiting 7 s\n')
})

test('a transcript shows what was said, when and by whom, whole and safe, and nothing for a call without one', () => {
  const segments = [
    { speaker: 'agent', start_seconds: 0.4, end_seconds: 3.1, text: 'Carmel Dental,\ngood morning.' },
    { speaker: 'patient', start_seconds: 65, end_seconds: 66, text: `${'word '.repeat(40)}\u001b[2J` },
    { speaker: 'unknown', start_seconds: 3725.9, end_seconds: 3726, text: 'Bye' },
  ]
  const text = transcriptText({ transcript: { segments } }, PIPE)
  assert.deepEqual(text.split('\n').slice(0, 3), ['', 'transcript', '   0:00  agent    Carmel Dental, good morning.'])
  assert.ok(text.includes(`   1:05  patient  ${'word '.repeat(40)}`))
  assert.match(text, /^1:02:05 {2}unknown {2}Bye\n$/m)
  assert.ok(!text.includes('\u001b'))
  for (const none of [{}, { transcript: null }, { transcript: { segments: null } }, { transcript: { segments: [] } }])
    assert.equal(transcriptText(none, PIPE), '')
})
