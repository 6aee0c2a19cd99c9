// Keeps only the fields that `--fields` names, in each row of an answer.
import type { Call } from '../command-line/program.ts'
import type { Body } from '../connection/pages.ts'
import type { Row } from '../views/cells.ts'
import { namedFields } from './columns.ts'

/** The body with only the fields that were asked for. @throws UsageError when the rows do not have one */
export function chosenFields({ command, options }: Call, body: Body): Body {
  if (options.fields === undefined) return body
  const fields = namedFields(command, 'fields', options.fields).map((name) => name.split('.'))
  const at = (value: unknown, steps: readonly string[]): unknown => {
    const [step, ...rest] = steps
    if (step === undefined) return picked(value, fields)
    return { ...(value as Row), [step]: at((value as Row)[step], rest) }
  }
  return at(body, command.rows.split('.')) as Body
}

/**
 * The same for one value: a row, or each row of a list.
 *
 * @example picked({ id: 1, patient: { id: 2, email: null } }, [['patient', 'id']]) // { patient: { id: 2 } }
 */
export function picked(value: unknown, fields: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((one) => picked(one, fields))
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [name = ''] of fields) {
    if (!Object.hasOwn(value, name)) continue
    const inner = fields.flatMap(([head, ...rest]) => (head === name ? [rest] : []))
    const field = (value as Row)[name]
    kept[name] = inner.some(({ length }) => length === 0) ? field : picked(field, inner)
  }
  return kept
}
