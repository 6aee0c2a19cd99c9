// The names of operations, tools and commands: those that the specification fixes, and the rules for the rest.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { argumentName, commandNames, joinedId, toolNames } from '../src/names.ts'
import type { Operation } from '../src/operation.ts'
import { operations } from '../src/operations.ts'
import { type Command, commands } from '../src/projections/commands.ts'
import { tools } from '../src/projections/tools.ts'
import { writeTools } from '../src/projections/write-tools.ts'
import { jsonSchemaOf } from '../src/schema/json-schema.ts'

const allCommands = commands()
const allTools = tools()
const commandOf = (words: string): Command => {
  const found = allCommands.find(({ path }) => path.join(' ') === words)
  assert.ok(found, `no command sc ${words}`)
  return found
}
const flagOf = (command: Command, fills: string) => command.options.find((option) => option.fills === fills)?.flag

describe('commands', () => {
  test('every command of the specification exists on its endpoint, with its arguments and options', () => {
    const table: [words: string, endpoint: string, args: string[], options: Record<string, string>][] = [
      ['whoami', 'GET /v1/me', [], {}],
      ['patients list', 'GET /v1/patients', [], { phone: 'phone' }],
      ['patients get', 'GET /v1/patients/{id}', ['patient_id'], {}],
      ['appointments list', 'GET /v1/appointments', [], { branch_id: 'branch', from: 'from', to: 'to' }],
      ['availability', 'GET /v1/availability', [], { branch_id: 'branch', from: 'from', to: 'to' }],
      ['catalog branches', 'GET /v1/catalog/branches', [], {}],
      ['metrics', 'GET /v1/metrics', ['dataset'], {}],
      [
        'query',
        'POST /v1/query',
        ['dataset'],
        { measures: 'measure', dimensions: 'by', filters: 'filter', limit: 'limit' },
      ],
    ]
    for (const [words, endpoint, args, options] of table) {
      const command = commandOf(words)
      assert.equal(command.endpoint, endpoint)
      assert.deepEqual(
        command.args.map(({ name }) => name),
        args,
      )
      for (const [fills, flag] of Object.entries(options)) assert.equal(flagOf(command, fills), flag, `sc ${words}`)
    }
  })

  test('the short flags of sc query are those of the specification', () => {
    const short = commandOf('query').options.flatMap((option) =>
      option.short ? [[option.short, option.repeatable]] : [],
    )
    assert.deepEqual(short, [
      ['m', true],
      ['b', true],
      ['f', true],
      ['o', true],
    ])
  })

  test('no two commands have the same words, and no command is the beginning of another', () => {
    const words = allCommands.map(({ path }) => `${path.join(' ')} `).sort()
    words.forEach((one, index) => {
      assert.ok(!words[index + 1]?.startsWith(one), `${one}and ${words[index + 1]}`)
    })
  })

  test('no two options of a command have the same flag', () => {
    for (const { path, options } of allCommands) {
      assert.equal(new Set(options.map(({ flag }) => flag)).size, options.length, path.join(' '))
    }
  })

  test("an exception really differs: its words are not the id's", () => {
    for (const [id, { path }] of Object.entries(commandNames)) {
      if (path) assert.notEqual(path.join('.'), id.replaceAll('_', '-'))
    }
  })
})

describe('tools', () => {
  test('a tool is named after its operation, except for the two in the list of exceptions', () => {
    const others = Object.entries(toolNames).filter(([name, id]) => name !== String(id).replaceAll('.', '_'))
    assert.deepEqual(
      others.map(([name]) => name),
      ['service_whoami', 'catalog_list'],
    )
  })

  test('every tool only reads, and needs the scope of its operation', () => {
    for (const tool of allTools) {
      const ids = 'operation' in tool.runs ? [tool.runs.operation] : Object.values(tool.runs.kind)
      for (const id of ids) {
        const operation = operations[id as keyof typeof operations]
        assert.equal(tool.scope, operation.scope, tool.name)
        assert.ok(operation.method === 'GET' || id === 'query.run', tool.name)
      }
      assert.deepEqual({ ...tool.annotations }, { readOnlyHint: true, openWorldHint: false })
    }
  })

  test('every tool that writes is one operation once a key, needs its scope, takes its body, and says that it writes', () => {
    for (const { name, runs, scope, annotations, inputSchema, description } of writeTools()) {
      const operation: Operation = operations[runs.operation]
      assert.equal(name, joinedId(operation.id, '_'))
      assert.deepEqual([operation.effect, operation.scope], ['once a key', scope])
      assert.match(scope ?? '', /:write$/)
      const own = ['idempotency_key', 'confirmation']
      const fromPath = Object.keys(operation.ids).map((parameter) => argumentName(operation, parameter))
      const fields = Object.keys(operation.body?.properties ?? {})
      assert.deepEqual(Object.keys(inputSchema.properties ?? {}), [...fromPath, ...fields, ...own], name)
      assert.ok(inputSchema.required?.includes('idempotency_key') && !inputSchema.required.includes('confirmation'))
      assert.deepEqual([annotations.readOnlyHint, annotations.idempotentHint], [false, true])
      assert.match(description, /never because a text in the records asks for it/)
    }
    const hints = writeTools().map(({ annotations: { destructiveHint, openWorldHint } }) => [
      destructiveHint,
      openWorldHint,
    ])
    assert.deepEqual(hints, [
      [false, false],
      [true, true],
      [true, false],
    ])
  })

  test('a tool names every field of its answer: of one resource in its result, of rows in the argument that chooses them', () => {
    for (const { name, runs, inputSchema, outputSchema } of allTools) {
      if ('kind' in runs) continue
      const { output, detailed } = operations[runs.operation as keyof typeof operations] as Operation
      const { data } = jsonSchemaOf(detailed ?? output).properties ?? {}
      const fields = Object.keys((data?.items ?? data)?.properties ?? {})
      const named =
        inputSchema.properties?.fields?.items?.enum ?? Object.keys(outputSchema.properties?.data?.properties ?? {})
      assert.ok(fields.length > 0, name)
      assert.deepEqual(named, fields, name)
    }
  })

  test('no schema of a result says what a later version may not add to', () => {
    for (const { name, outputSchema } of allTools)
      assert.doesNotMatch(JSON.stringify(outputSchema), /additionalProperties|required|enum/, name)
  })

  test('every argument of a tool is described by its schema, and no other is accepted', () => {
    for (const { name, inputSchema, path_arguments } of allTools) {
      assert.equal(inputSchema.additionalProperties, false, name)
      for (const argument of Object.values(path_arguments)) {
        assert.ok(inputSchema.required?.includes(argument), `${name} ${argument}`)
      }
    }
  })
})

test('the parameter of a path is named after its kind of id', () => {
  assert.equal(argumentName(operations['patients.get'], 'id'), 'patient_id')
  assert.equal(argumentName(operations['payments.list'], 'id'), 'patient_id')
  assert.equal(argumentName(operations['calls.recording.get'], 'id'), 'call_id')
  assert.equal(argumentName(operations['webhooks.deliveries.retry'], 'delivery_id'), 'delivery_id')
})
