// Generates the client's files from the contract: the table of operations, the methods, and the types of what they take and answer.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { allOperations } from '@clinic-data/contract'
import { inReadingOrder } from '@clinic-data/contract/projections/reading-order'
import type { OperationRecord } from '../src/operation-record.ts'
import { methods } from './methods-text.ts'
import { resourceTypes } from './resource-types.ts'

export const sourceFolder = join(import.meta.dirname, '..', 'src')

const operations = inReadingOrder(allOperations)
const WRITTEN = 'Written by `npm run golden` from the contract; a test compares.'

/** The text of each file by its name in `src`. */
export function generatedFiles(): Record<string, string> {
  const files = {
    'generated/operation-table.ts': operationTable(),
    'generated/resources.ts': `// The types of what the operations take and answer. ${WRITTEN}\n\n${resourceTypes(operations)}\n`,
    'generated/methods.ts': `// The client's methods, by the operations' ids. ${WRITTEN}\n${methods(operations)}`,
  }
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, formatted(name, text)]))
}

function operationTable(): string {
  const rows = operations.map((operation) => {
    const { id, method, path, shape, effect } = operation
    const record: OperationRecord = { method, path, shape, ...(effect !== 'none' && { effect }) }
    return `${JSON.stringify(id)}: ${JSON.stringify(record)},`
  })
  return `// What a request of each operation is made of. ${WRITTEN}
import type { OperationId, OperationRecord } from '../operation-record.ts'

export const operationTable: Readonly<Record<OperationId, OperationRecord>> = {
${rows.join('\n')}
}
`
}

function formatted(name: string, text: string): string {
  const biome = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'biome')
  const { stdout, stderr, status } = spawnSync(
    biome,
    ['check', '--write', `--stdin-file-path=${join(sourceFolder, name)}`],
    {
      input: text,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`)
  return stdout
}
