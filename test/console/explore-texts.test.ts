// The lines for a shell as which the console's numbers leave the page. What they hold comes from addresses, so it may not become a command.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { curlLine, mcpLine, scLine, shellWord } from '@clinic-data/contract/projections/question-lines'
import fc from 'fast-check'

const HOSTILE = [`'; touch x; '`, '$(touch x)', '`touch x`', '\\', "'", '"', '\n', '-n', '*', '~', '!x', '']

test('a shell reads any text as one word, and runs nothing of it', () => {
  const anything = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
  const words = fc.array(fc.oneof(anything, fc.constantFrom(...HOSTILE)), { minLength: 1, maxLength: 150, size: 'max' })
  fc.assert(
    fc.property(words, (texts) => {
      const script = `for word in ${texts.map(shellWord).join(' ')}; do printf '%s\\0' "$word"; done`
      const read = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
      assert.deepEqual(
        read,
        texts.map((text) => text.toWellFormed()),
      )
    }),
    // One shell reads many words: starting it takes longer than all of them.
    { numRuns: 10 },
  )
})

test('every line gives its program the values as they are, also where the short forms of sc cannot say them', () => {
  const bodies = HOSTILE.map((value) => ({
    dataset: 'leads' as const,
    measures: ['lead_count'],
    dimensions: [{ field: 'created_date' }],
    filters: [{ field: 'utm_source', op: 'in' as const, value: [value, 'a,b'] }],
  }))
  const questions = bodies.flatMap((body) =>
    [scLine, curlLine, mcpLine].map((line) => ({ body, text: line(body, 'https://api.example.com') })),
  )
  const program = `sc() { for word; do printf '%s\\0' "$word"; done; printf 'END\\0'; }; curl() { sc "$@"; }`
  const out = execFileSync('sh', ['-c', [program, ...questions.map(({ text }) => text)].join('\n')]).toString()
  const calls = out.split('END\0').map((call) => call.split('\0'))
  assert.equal(calls.length, questions.length + 1)
  for (const [at, { body }] of questions.entries()) {
    const words = calls[at] ?? []
    const sent = JSON.parse(words[words.indexOf('-d') + 1] ?? '')
    assert.deepEqual(sent.params?.arguments ?? sent, body)
  }
})

test('a line of sc uses its short forms where they say the same', () => {
  const line = scLine(
    {
      dataset: 'leads',
      measures: ['lead_count'],
      dimensions: ['source', { field: 'created_date', grain: 'week' }],
      filters: [
        { field: 'created_date', op: 'between', value: ['2026-01-01', '2026-01-31'] },
        { field: 'utm_source', op: 'in', value: ['a b', 'c'] },
      ],
      order: [{ by: 'lead_count', dir: 'desc' }],
      limit: 10,
    },
    'http://127.0.0.1:8080',
  )
  const filters = `-f created_date:between:2026-01-01..2026-01-31 -f 'utm_source:in:a b,c'`
  assert.equal(
    line,
    `SC_BASE_URL=http://127.0.0.1:8080 sc query leads -m lead_count -b source -b created_date:week ${filters} -o lead_count:desc --limit 10`,
  )
})
