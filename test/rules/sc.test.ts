// Every command of `sc` that belongs to an operation, against a real service over HTTP: in each format, in a pipe and on a
// terminal.
import assert from 'node:assert/strict'
import { readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import test, { before } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import type { CliCommand, CliOption } from '@clinic-data/cli/command-line/command'
import { commandTable } from '@clinic-data/cli/command-line/command-table'
import { allOperations, type Operation } from '@clinic-data/contract'
import { safeText } from '@clinic-data/contract/safe-text'
import { ask, pathOf, servedClinic } from '@clinic-data/testing/run/test-service'
import stringWidth from 'string-width'
import { sc } from '../sc.ts'
import { betweenEqual, comparable } from './comparable-answer.ts'
import { requiredQuery, validIds, validOptions } from './valid-request.ts'

const COLUMNS = 72

const { service, clinic } = await servedClinic()
let variables: Record<string, string>

before(async () => {
  variables = { SC_API_KEY: clinic.key, SC_BASE_URL: await service.address() }
})

for (const operation of allOperations) {
  const command = commandTable().find((one) => one.operation === operation.id)
  test(`sc ${command?.path.join(' ')} prints the answer of ${operation.id} in every format`, async () => {
    assert.ok(command, `no command calls ${operation.id}`)
    const run = async (format: string, columns?: number) => {
      const { words } = await validCall(operation, command)
      const outcome = await sc([...words, '--format', format], { variables, ...(columns && { columns }) })
      assert.equal(outcome.code, 0, outcome.errors)
      return outcome
    }
    const answer = async () => {
      if (operation.method !== 'GET') return null
      const { path } = await validCall(operation, command)
      return comparable(operation, (await ask(service, clinic.key, path)).json)
    }
    const both = async () => ({ json: await run('json'), agents: await run('agents') })
    const { done, answered } = await betweenEqual(answer, both)
    const { json, agents } = done
    const piped = await run('table')
    const shown = await run('table', COLUMNS)
    if (operation.shape === 'none') {
      assert.deepEqual([json.out, agents.out, piped.out, piped.errors], ['', '', '', 'Done.\n'])
      return
    }
    assert.deepEqual([json.errors, agents.errors], ['', ''])
    assert.match(agents.out, /^[^\n]+\n$/)
    const [asJson, asAgent] = [JSON.parse(json.out), await agentAnswer(agents.out)]
    assert.equal(json.out, `${JSON.stringify(asJson, null, 2)}\n`)
    if (operation.method === 'GET') {
      assert.deepEqual(comparable(operation, asJson), answered)
      assert.deepEqual(comparable(operation, asAgent), answered)
    }
    for (const line of piped.out.split('\n')) assert.equal(line, safeText(line))
    assert.ok(!piped.out.includes('undefined') && !piped.out.includes('[object'), piped.out)
    if (Array.isArray(asJson.data)) {
      assert.ok(piped.out.split('\n').length >= asJson.data.length + 2, 'a header, and a line per row')
      for (const line of shown.out.split('\n')) assert.ok(stringWidth(stripVTControlCharacters(line)) <= COLUMNS, line)
    }
  })
}

/** The words of a successful call, and the path for the same request over REST. */
async function validCall(operation: Operation, command: CliCommand) {
  const ids = await validIds(service, clinic, operation)
  const query = await requiredQuery(service, clinic, operation)
  const body = validOptions(operation).body as Record<string, unknown> | undefined
  const inputs = { path: ids, query, body: body ?? {}, header: {} }
  const args = command.args.map(({ in: place, fills }) => inputs[place][fills as never] as string).filter(Boolean)
  const options = command.options.flatMap((option) =>
    spelled(option, inputs[option.in ?? 'header'][option.fills as never]),
  )
  return { words: [...command.path, ...args, ...options], path: pathOf(operation, ids, query) }
}

function spelled(option: CliOption, value: unknown): string[] {
  if (value === undefined) return []
  const values = option.repeatable && Array.isArray(value) ? value : [value]
  return values.flatMap((one) => [`--${option.flag}`, word(option, one)])
}

/** `{ field, op, value }` in the short form of the query's flags. */
function word({ type }: CliOption, value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (type === 'json') return JSON.stringify(value)
  return Object.values(value)
    .map((part) => (Array.isArray(part) ? part.join('..') : part))
    .join(':')
}

/** Reads large output from its private file. */
async function agentAnswer(line: string): Promise<unknown> {
  const answer = JSON.parse(line)
  if (!('file' in answer)) return answer
  const { mode, size } = await stat(answer.file)
  assert.deepEqual([mode & 0o777, size], [0o600, answer.bytes])
  assert.ok(answer.bytes > 16_000)
  const held = JSON.parse(await readFile(answer.file, 'utf8'))
  await rm(dirname(answer.file), { recursive: true })
  return held
}
