// The kinds of filters in a dataset.
import type { Filter } from './dataset.ts'

export const dates: Filter = { type: 'date' }
export const ids: Filter = { type: 'id_list' }
export const flag: Filter = { type: 'boolean' }

export function strings(values?: readonly string[]): Filter {
  return { type: 'string_list', ...(values && { values }) }
}
