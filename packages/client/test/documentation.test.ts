// The generated types carry the contract's documentation, for whatever an editor shows. What one really shows is in `editor.long.test.ts`.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations } from '@clinic-data/contract'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { argumentName } from '@clinic-data/contract/names'
import { Patient } from '@clinic-data/contract/resources/patient'
import { generatedFiles } from '../scripts/generated-files.ts'

const files = Object.entries(generatedFiles())
const textOf = (name: string) =>
  files.find(([path]) => path.endsWith(name))?.[1] ?? assert.fail(`${name} is not generated`)

/** The comment that ends above a line, as one line. */
function documentationAbove(lines: readonly string[], at: number): string {
  if (!lines[at - 1]?.trimEnd().endsWith('*/')) return ''
  const begins = lines.slice(0, at).findLastIndex((line) => /^\s*\/\*\*/.test(line))
  const words = lines.slice(begins, at).map((line) => line.replace(/^\s*(\/\*\*|\*(?!\/))\s?|\s*\*\/$/g, '').trim())
  return words.join(' ').replaceAll(/\s+/g, ' ').trim()
}

test('every field of every resource and input says what it means', () => {
  const lines = textOf('resources.ts').split('\n')
  const fields = lines.flatMap((line, at) => (/^ +[\w']+\??: /.test(line) ? [at] : []))
  assert.ok(fields.length > 400, String(fields.length))
  assert.deepEqual(
    fields.filter((at) => documentationAbove(lines, at) === '').map((at) => lines[at]?.trim()),
    [],
  )
})

test("a field's documentation is the contract's", () => {
  const lines = textOf('resources.ts').split('\n')
  const patient = lines.indexOf('export interface Patient {')
  const phone = lines.findIndex((line, at) => at > patient && /^ {2}phone: /.test(line))
  const { description = 'none' } = jsonSchemaOf(Patient).properties?.phone ?? {}
  assert.ok(documentationAbove(lines, phone).includes(description.split('\n')[0] ?? ''))
})

test('every method says what it does, takes, throws and answers, with an example', () => {
  const lines = textOf('methods.ts').split('\n')
  const said = lines.flatMap((_, at) => documentationAbove(lines, at) || [])
  for (const operation of allOperations) {
    const { id, method, path, summary, description, ids, shape } = operation
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
    const isIts = (one: string) => one.startsWith(words(`${summary}. `)) && one.includes(`\`${method} ${path}\``)
    const text = said.find(isIts) ?? ''
    assert.ok(text.includes(words(description)), id)
    for (const name of [...Object.keys(ids).map((one) => argumentName(operation, one)), 'input', 'options'])
      assert.match(text, new RegExp(`@param ${name} \\S`), id)
    for (const tag of ['@returns', '@throws', '@example']) assert.ok(text.includes(tag), `${id} ${tag}`)
    if (shape === 'page') assert.match(text, /`await` it for one page, or walk the rows/, id)
  }
})
