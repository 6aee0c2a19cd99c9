// Pages as one JSON document, and output that is too large for an agent.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import type { Body } from '@clinic-data/cli/connection/pages'
import { joinedJson, jsonText } from '@clinic-data/cli/output/json-text'
import { LARGE_BYTES, printSized } from '@clinic-data/cli/output/large-output'
import fc from 'fast-check'

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

async function* of<T>(...values: T[]): AsyncGenerator<T> {
  yield* values
}

test('the rows of many pages print as one document, as if they had come in one page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.jsonValue(), { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      async (pages) => {
        const bodies: Body[] = pages.map((data, i) => ({
          data,
          next_cursor: i === pages.length - 1 ? null : `c${i}`,
          more: [i],
        }))
        const whole = { ...bodies.at(-1), data: pages.flat() }
        for (const indent of [0, 2] as const) {
          assert.equal(await textOf(joinedJson(of(...bodies), indent)), jsonText(whole, indent))
        }
      },
    ),
    { numRuns: 50 },
  )
})

async function sized(...texts: string[]): Promise<string> {
  let out = ''
  const write = async (text: string) => {
    out += text
  }
  const stdout = { isTerminal: false, columns: 0, write }
  await printSized(stdout, of(...texts), { items: 7, next_cursor: 'c' })
  return out
}

test('an agent gets up to 16,000 bytes as a line, and the path of a private file for more', async () => {
  const fits = 'é'.repeat(LARGE_BYTES / 2)
  assert.equal(await sized(fits), `${fits}\n`)
  const line = await sized(fits, 'x', 'yz')
  const { file, ...counted } = JSON.parse(line)
  assert.match(line, /^[^\n]+\n$/)
  assert.deepEqual(counted, { bytes: LARGE_BYTES + 3, items: 7, next_cursor: 'c' })
  assert.equal(await readFile(file, 'utf8'), `${fits}xyz`)
  assert.deepEqual(
    [(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777],
    process.platform === 'win32' ? [0o666, 0o666] : [0o600, 0o700],
  )
  await rm(dirname(file), { recursive: true })
})

test('an answer that breaks off leaves no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sc-test-'))
  process.env.TMPDIR = folder
  async function* broken() {
    yield 'x'.repeat(LARGE_BYTES + 1)
    assert.equal((await readdir(folder)).length, 1)
    throw new Error('broken')
  }
  const stdout = { isTerminal: false, columns: 0, write: async () => assert.fail('nothing is printed') }
  await assert.rejects(printSized(stdout, broken(), { items: 0, next_cursor: null }), /broken/)
  assert.deepEqual(await readdir(folder), [])
  await rm(folder, { recursive: true })
})
