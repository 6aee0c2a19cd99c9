// Generates the client's Python files from the contract: the table of operations, the methods of both clients, and the types
// (docs/decisions/0129).

import { join } from 'node:path'
import { allOperations, type Operation, problems } from '@clinic-data/contract'
import { eventResources } from '@clinic-data/contract/event-examples'
import { sharedValues } from '@clinic-data/contract/generators/openapi-shapes'
import { PageMeta } from '@clinic-data/contract/page-meta'
import { FaultSchema } from '@clinic-data/contract/projections/openapi-problems'
import { inReadingOrder } from '@clinic-data/contract/projections/reading-order'
import { pythonLiteral } from '@clinic-data/contract/samples/python'
import { usesOf } from '../../client/scripts/resource-types.ts'
import { eventTypesText } from './event-types-text.ts'
import { MethodsText } from './methods-text.ts'
import { WIDTH } from './python-text.ts'
import { jsonSchemaOf, PythonTypes, valuesText } from './python-types.ts'

export const sourceFolder = join(import.meta.dirname, '..', 'src', 'clinic_data')

const operations: readonly Operation[] = inReadingOrder(allOperations)
const WRITTEN = 'Written by `npm run golden` from the contract; a test compares.'

/** The text of each file by its name in the package. */
export function generatedFiles(): Record<string, string> {
  const types = new PythonTypes(usesOf)
  const methods = new MethodsText(types, false).text(operations)
  const asyncMethods = new MethodsText(types, true).text(operations)
  for (const schema of [...Object.values(eventResources), FaultSchema]) types.text(jsonSchemaOf(schema), 'answered', '')
  types.text(jsonSchemaOf(PageMeta).properties?.warnings ?? {}, 'answered', '')
  return {
    'generated/operation_table.py': operationTable(),
    'generated/resources.py': resourcesText(types),
    'generated/methods.py': methodsFile('methods', methods, types),
    'generated/async_methods.py': methodsFile('async_methods', asyncMethods, types),
  }
}

function operationTable(): string {
  const rows = operations.map(({ id, method, path, shape, effect }) => {
    const facts = [method, path, shape, effect].map((one) => pythonLiteral(one)).join(', ')
    const line = `    ${pythonLiteral(id)}: OperationRecord(${facts}),`
    return line.length <= WIDTH ? line : `    ${pythonLiteral(id)}: OperationRecord(\n        ${facts}\n    ),`
  })
  return `"""What a request of each operation is made of. ${WRITTEN}"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..operation_record import OperationRecord

OPERATION_TABLE: Final[Mapping[str, OperationRecord]] = {
${rows.join('\n')}
}
`
}

function resourcesText(types: PythonTypes): string {
  const events = eventTypesText()
  const lists = Object.entries(sharedValues)
  const classes = [...types.declared].sort(([a], [b]) => (a < b ? -1 : 1))
  const names = [
    ...classes.map(([name]) => name),
    ...lists.map(([name]) => name),
    ...events.names,
    'ProblemCode',
  ].sort()
  const body = classes.map(([, text]) => text).join('\n\n\n')
  const used = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\[|\\b${name}\\b(?=[\\],])`).test(body))
  return `"""The types of what the operations take and answer. ${WRITTEN}"""

from __future__ import annotations

from collections.abc import ${used(['Mapping', 'Sequence']).join(', ')}
${standardImports(body)}from typing import ${[...used(['Any']), 'Literal', 'TypedDict'].join(', ')}

__all__ = [
${names.map((name) => `    ${pythonLiteral(name)},`).join('\n')}
]

${lists.map(([name, values]) => valuesText(name, values)).join('\n\n')}

${valuesText('ProblemCode', Object.keys(problems))}
"""The codes of the problems: \`error.code\`."""


${body}


${events.text}
`
}

/** The lines that import the types of values, where they are used. */
function standardImports(body: string): string {
  const code = body.replaceAll(/"""[\s\S]*?"""/g, '')
  const times = ['date', 'datetime'].filter((one) => new RegExp(`: (?:.* )?${one} \\|`).test(code))
  const lines = [
    ...(times.length > 0 ? [`from datetime import ${times.join(', ')}\n`] : []),
    ...(/\bDecimal\b/.test(code) ? ['from decimal import Decimal\n'] : []),
  ]
  return lines.join('')
}

function methodsFile(name: 'methods' | 'async_methods', body: string, types: PythonTypes): string {
  const prefix = name === 'methods' ? '' : 'Async'
  const used = new Set(body.replaceAll(/"""[\s\S]*?"""/g, '').match(/\b[A-Z]\w+/g))
  const named = [...types.declared.keys(), ...Object.keys(sharedValues), 'EventEnvelope']
  const resources = named.filter((one) => used.has(one)).sort()
  const abstract = ['Mapping', 'Sequence'].filter((one) => used.has(one))
  return `"""The ${name === 'methods' ? 'client’s methods' : 'methods of the client for asyncio'}, by the operations’ ids. ${WRITTEN}"""

from __future__ import annotations

from collections.abc import ${abstract.join(', ')}
${standardImports(body)}from typing import ${used.has('Any') ? 'Any, ' : ''}Literal, overload

from ..caller import ${prefix}Caller
from ..omitted import OMITTED, Omitted
from ..pages import ${prefix ? 'AsyncPages, Rows' : 'Pages, Rows'}
from ..request import CallOptions, sent
from .resources import (
${resources.map((one) => `    ${one},`).join('\n')}
)


${body}
`
}
