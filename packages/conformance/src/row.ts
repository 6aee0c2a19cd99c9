// Looks into a row whose fields may be anything.

export type Row = Readonly<Record<string, unknown>>

/** The rows of a list. Anything that is not an object counts as a row without fields. */
export function rowsOf(data: unknown): Row[] {
  return (Array.isArray(data) ? data : [data]).map((row) => (isRow(row) ? row : {}))
}

/** The value at the end of the path. Undefined when there is none. */
export function valueAt(row: unknown, ...path: readonly string[]): unknown {
  let value = row
  for (const name of path) value = isRow(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

export function textAt(row: unknown, ...path: readonly string[]): string | null {
  const value = valueAt(row, ...path)
  return typeof value === 'string' ? value : null
}

export function idOf(row: Row): string | null {
  return textAt(row, 'id')
}

/** The ids in a list inside a row. */
export function idsAt(row: Row, field: string): string[] {
  const list = valueAt(row, field)
  return Array.isArray(list) ? list.flatMap((one) => textAt(one, 'id') ?? []) : []
}

/** A row's name in a report. */
export function rowInWords(row: Row | undefined): string {
  const id = row && idOf(row)
  return id ? `the row ${id}` : 'a row'
}

/** The paths of the first few fields in which two values differ. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (Object.is(one, other)) return []
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((inner, i) => differences(inner, other[i], `${path}[${i}]`)).slice(0, MOST_DIFFERENCES)
  }
  if (isRow(one) && isRow(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names]
      .flatMap((name) => differences(one[name], other[name], path === '' ? name : `${path}.${name}`))
      .slice(0, MOST_DIFFERENCES)
  }
  return [path === '' ? 'the whole' : path]
}

const MOST_DIFFERENCES = 5

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
