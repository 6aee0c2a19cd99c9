// Writes the client's methods as classes, one for each part of the operations' ids, for both clients: each method with its arguments,
// its documentation and an example that runs.

import type { Operation } from '@clinic-data/contract'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { argumentName, idDescription } from '@clinic-data/contract/names'
import { argument } from '@clinic-data/contract/samples/python'
import { inputOf, pascal } from '../../client/scripts/resource-types.ts'
import { example } from './example.ts'
import { docstring, wrapped } from './python-text.ts'
import { describedValue, type PythonTypes } from './python-types.ts'

/** The parts of the operation ids as a tree with operations as its leaves. */
interface Namespace {
  [name: string]: Namespace | Operation
}

/** The clients have these of their own. */
const TAKEN = new Set(['request', 'send', 'close', 'aclose', 'data_of', 'pages_of'])
/** The fields of every page. `Page` has them. */
const PAGE_FIELDS = ['data', 'next_cursor', 'meta', 'resume_cursor']
const IN = '    '
const DEEP = IN + IN

/** Writes one of both clients' methods. */
export class MethodsText {
  readonly #isAsync: boolean
  readonly #types: PythonTypes

  constructor(types: PythonTypes, isAsync: boolean) {
    this.#types = types
    this.#isAsync = isAsync
  }

  /** All classes, what a class mentions before it. */
  text(operations: readonly Operation[]): string {
    const tree: Namespace = {}
    for (const operation of operations) {
      const names = operation.id.split('.')
      const action = names.pop() ?? ''
      let at = tree
      for (const name of names) {
        at[name] ??= {}
        at = at[name] as Namespace
      }
      at[action] = operation
    }
    const taken = Object.keys(tree).filter((name) => TAKEN.has(name))
    if (taken.length > 0) throw new Error(`the clients have methods of these names: ${taken.join(', ')}`)
    const about = 'The methods of the client, by the parts of the operations’ ids.'
    return this.#classes(tree, `${this.#prefix}Resources`, [], about).join('\n\n\n')
  }

  get #prefix(): string {
    return this.#isAsync ? 'Async' : ''
  }

  #classes(namespace: Namespace, name: string, path: readonly string[], about: string): string[] {
    const parts = Object.entries(namespace)
    const spaces = parts.flatMap(([part, member]) => (isOperation(member) ? [] : [{ part, member }]))
    const nameOf = (part: string) => `${this.#prefix}${pascal([...path, part].join('.'))}Methods`
    const below = spaces.flatMap(({ part, member }) =>
      this.#classes(member, nameOf(part), [...path, part], `\`client.${[...path, part].join('.')}\``),
    )
    const body = [
      `class ${name}:`,
      `${IN}"""${about.replace(/\.?$/, '.')}"""`,
      '',
      `${IN}def __init__(self, caller: ${this.#prefix}Caller) -> None:`,
      `${DEEP}self._caller = caller`,
      ...spaces.map(({ part }) => `${DEEP}self.${part}: ${nameOf(part)} = ${nameOf(part)}(caller)`),
      ...parts.flatMap(([part, member]) => (isOperation(member) ? ['', ...this.#method(part, member)] : [])),
    ]
    return [...below, body.join('\n')]
  }

  /** The method, and its signatures where `response_format` chooses the answer. */
  #method(name: string, operation: Operation): string[] {
    const { detailed, output } = operation
    if (!detailed)
      return [...this.#signature(name, operation, {}, this.#result(operation, [output])), ...this.#body(operation)]
    const one = (format: string, result: string) => [
      `${IN}@overload`,
      ...withEllipsis(this.#signature(name, operation, { response_format: format }, result)),
      '',
    ]
    return [
      ...one('Literal["detailed"]', this.#result(operation, [detailed])),
      ...one('Literal["concise"] | None = None', this.#result(operation, [output])),
      ...this.#signature(name, operation, {}, this.#result(operation, [output, detailed])),
      ...this.#body(operation),
    ]
  }

  /** @param other types of arguments that this signature narrows. */
  #signature(name: string, operation: Operation, other: Record<string, string>, result: string): string[] {
    const isAwaited = this.#isAsync && operation.shape !== 'page'
    const ids = Object.keys(operation.ids).map((id) => `${argumentName(operation, id)}: str`)
    const fields = fieldsOf(operation)
    const written = fields.map(({ field, schema, isRequired }) => {
      const type = other[field] ?? this.#types.text(schema, 'sent', pascal(`${operation.id}.${field}`))
      const fallback = isNullable(schema) ? ' | Omitted = OMITTED' : ' | None = None'
      return `${argument(field)}: ${type}${isRequired || field in other ? '' : fallback}`
    })
    const options = optionsOf(operation).map(({ option, type }) => `${option}: ${type} | None = None`)
    return [
      `${IN}${isAwaited ? 'async ' : ''}def ${name}(`,
      ...['self', ...ids, '*', ...written, ...options].map((one) => `${DEEP}${one},`),
      `${IN}) -> ${result}:`,
    ]
  }

  #result(operation: Operation, outputs: readonly Operation['output'][]): string {
    if (operation.shape === 'none') return 'None'
    return outputs.map((output) => this.#oneResult(operation, jsonSchemaOf(output))).join(' | ')
  }

  #oneResult({ id, shape }: Operation, output: JsonSchema): string {
    const others = Object.keys(output.properties ?? {}).filter((one) => !PAGE_FIELDS.includes(one))
    if (others.length > 0) throw new Error(`${id} answers more beside its rows than Page has: ${others.join(', ')}`)
    const data = output.properties?.data ?? {}
    const name = `${pascal(id)}Answer`
    if (shape === 'page') return `${this.#prefix}Pages[${this.#types.text(data.items ?? {}, 'answered', name)}]`
    if (shape === 'bounded') return `Rows[${this.#types.text(data.items ?? {}, 'answered', name)}]`
    return this.#types.text(data, 'answered', name)
  }

  #body(operation: Operation): string[] {
    const { id, ids, shape, detailed, output } = operation
    const fields = fieldsOf(operation)
    const pairs = (some: typeof fields) => {
      const lines = some.map(({ field }) => `${DEEP}${DEEP}${IN}${JSON.stringify(field)}: ${argument(field)},\n`)
      return lines.length === 0 ? '{}' : `{\n${lines.join('')}${DEEP}${DEEP}}`
    }
    const nullable = fields.filter(({ schema }) => isNullable(schema))
    const plain = fields.filter(({ schema }) => !isNullable(schema))
    const params = `{${Object.keys(ids)
      .map((one) => `${JSON.stringify(one)}: ${argumentName(operation, one)}`)
      .join(', ')}}`
    const sent = [
      'sent(',
      ...[plain, ...(nullable.length > 0 ? [nullable] : [])].map((some) => `${DEEP}${DEEP}${pairs(some)},`),
    ]
      .concat(`${DEEP}${IN})`)
      .join('\n')
    const taken = [JSON.stringify(id), params, fields.length === 0 ? 'None' : sent, optionsText(operation)]
    const isAwaited = this.#isAsync && shape !== 'page'
    const call = [
      `${isAwaited ? 'await ' : ''}self._caller.${shape === 'page' ? 'pages_of' : 'data_of'}(`,
      ...taken.map((one) => `${DEEP}${IN}${one},`),
      `${DEEP})`,
    ].join('\n')
    const result = this.#result(operation, [output, ...(detailed ? [detailed] : [])])
    const statement =
      shape === 'none' ? [`${DEEP}${call}`] : [`${DEEP}answer: ${result} = ${call}`, `${DEEP}return answer`]
    return [...docstring(this.#documentation(operation), DEEP), ...statement]
  }

  #documentation(operation: Operation): string[] {
    const { method, path, scope, summary, description, ids, shape } = operation
    const described = [
      ...Object.keys(ids).map((id) => [argumentName(operation, id), idDescription(operation, id)]),
      ...fieldsOf(operation).map(({ field, schema, value }) => [
        argument(field),
        describedValue(schema, 'sent', value),
      ]),
      ...optionsOf(operation).map(({ option, about }) => [option, about]),
    ]
    const section = (title: string, lines: readonly string[]) => ['', `${DEEP}${title}:`, ...lines]
    return [
      ...wrapped(`${summary}. ${description}`, DEEP),
      '',
      `${DEEP}\`${method} ${path}\`, ${scope === null ? 'no scope' : `scope \`${scope}\``}.`,
      ...section(
        'Args',
        described.flatMap(([name, about]) => wrapped(`${name}: ${about}`, DEEP + IN, IN)),
      ),
      ...section('Returns', wrapped(RETURNED[shape], DEEP + IN)),
      ...section('Raises', [
        `${DEEP}${IN}ClinicDataError: The call failed${shape === 'page' ? ', while the list is walked' : ''}.`,
      ]),
      ...section(
        'Example',
        example(operation, this.#isAsync).map((line) => DEEP + IN + line),
      ),
    ]
  }
}

const RETURNED: Readonly<Record<Operation['shape'], string>> = {
  page: 'The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is one of them.',
  bounded: 'All rows.',
  one: 'What was asked for.',
  link: 'A signed link to the file.',
  none: 'Nothing.',
}

interface Field {
  readonly field: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  /** An example. */
  readonly value: unknown
}

/** What an operation takes besides its ids, what it needs first. */
function fieldsOf(operation: Operation): readonly Field[] {
  const { properties = {}, required = [] } = inputOf(operation)
  const example = (operation.body ? operation.example.body : operation.example.query) as
    | Record<string, unknown>
    | undefined
  return Object.entries(properties)
    .map(([field, schema]) => ({ field, schema, isRequired: required.includes(field), value: example?.[field] }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return [type ?? []].flat().includes('null') || anyOf.some(isNullable)
}

function optionsOf({ effect }: Operation) {
  return [
    ...(effect === 'once a key'
      ? [
          {
            option: 'idempotency_key',
            type: 'str',
            about:
              'The same key with the same content within 24 hours is one write. The client makes one for each call; give your own (an invoice’s number) to be safe across restarts of your program.',
          },
        ]
      : []),
    {
      option: 'timeout_seconds',
      type: 'float',
      about: 'Time for the whole answer of each attempt, if not the client’s.',
    },
    {
      option: 'max_retries',
      type: 'float',
      about: 'Repeats after a temporary failure, if not the client’s. 0 turns them off.',
    },
  ]
}

function optionsText({ effect }: Operation): string {
  return `CallOptions(timeout_seconds, max_retries${effect === 'once a key' ? ', idempotency_key' : ''})`
}

function isOperation(member: Namespace | Operation): member is Operation {
  return typeof member.id === 'string'
}

const withEllipsis = (lines: readonly string[]) => [...lines.slice(0, -1), `${lines.at(-1)} ...`]
