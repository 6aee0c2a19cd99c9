// Generates the client's files from the contract: the table of operations and the methods with their descriptions.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { allOperations, type Operation } from '@clinic-data/contract'
import { argumentName } from '@clinic-data/contract/names'
import { inReadingOrder } from '@clinic-data/contract/projections/reading-order'
import type { OperationRecord } from '../src/operation-record.ts'

export const sourceFolder = join(import.meta.dirname, '..', 'src')

const operations = inReadingOrder(allOperations)
const WRITTEN = 'Written by `npm run golden` from the contract; a test compares.'

/** The text of each file by its name in `src`. */
export function generatedFiles(): Record<string, string> {
  const files = { 'operation-table.ts': operationTable(), 'resources.ts': resources() }
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, formatted(name, text)]))
}

function operationTable(): string {
  const rows = operations.map((operation) => {
    const { id, method, path, shape, effect } = operation
    const record: OperationRecord = { method, path, shape, ...(effect !== 'none' && { effect }) }
    return `${JSON.stringify(id)}: ${JSON.stringify(record)},`
  })
  return `// What a request of each operation is made of. ${WRITTEN}
import type { OperationId, OperationRecord } from './operation-record.ts'

export const operationTable: Readonly<Record<OperationId, OperationRecord>> = {
${rows.join('\n')}
}
`
}

/** The parts of the operation ids as a tree with operations as its leaves. */
interface Namespace {
  [name: string]: Namespace | Operation
}

function resources(): string {
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
  return `// The client's methods, by the operations' ids. ${WRITTEN}
import type { Method } from './method.ts'

export interface Resources ${written(tree)}
`
}

function written(namespace: Namespace): string {
  const members = Object.entries(namespace).map(([name, member]) =>
    isOperation(member) ? methodOf(name, member) : `${name}: ${written(member)}`,
  )
  return `{\n${members.join('\n')}\n}`
}

function isOperation(member: Namespace | Operation): member is Operation {
  return typeof member.id === 'string'
}

function methodOf(name: string, operation: Operation): string {
  const { id, method, path, scope, summary, description, ids } = operation
  const names = Object.keys(ids).map((parameter) => `${argumentName(operation, parameter)}: string`)
  const endpoint = `\`${method} ${path}\`, ${scope === null ? 'no scope' : `scope \`${scope}\``}`
  return `/** ${summary}: ${endpoint}. ${description} */
  ${name}: Method<'${id}', [${names.join(', ')}]>`
}

function formatted(name: string, text: string): string {
  const biome = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'biome')
  const { stdout, stderr, status } = spawnSync(biome, ['format', `--stdin-file-path=${join(sourceFolder, name)}`], {
    input: text,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`)
  return stdout
}
