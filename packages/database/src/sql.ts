// SQL as values: a tagged template that keeps statement and parameters apart, composes, and names its prepared statements.

import { hash } from 'node:crypto'
import { parameterText, type SqlScalar, type SqlValue } from './values/parameter-text.ts'

export type { SqlScalar, SqlValue } from './values/parameter-text.ts'

/** The form that goes to the server. A statement without a name is parsed each time. */
export type RenderedStatement = { name: string | undefined; text: string; values: (string | null)[] }

/** PostgreSQL counts a statement's parameters in 16 bits. */
const MAX_PARAMETERS = 65_535

/** A text with this many parameters is a bulk insert. It seldom comes back, and keeping it prepared costs memory. */
const MAX_PREPARED_PARAMETERS = 100

/** One name is kept for each text. The set of texts is fixed by the program, so only a mistake reaches this bound. */
const MAX_NAMES = 10_000

const names = new Map<string, string>()
const templates = new WeakMap<readonly string[], string>()

/** Literal text around values: `chunks` has one element more than `values`. */
export class Statement {
  readonly chunks: readonly string[]
  readonly values: readonly SqlValue[]

  constructor(chunks: readonly string[], values: readonly SqlValue[]) {
    this.chunks = chunks
    this.values = values
  }

  render(): RenderedStatement {
    return this.values.length > MAX_PREPARED_PARAMETERS ? this.renderOnce() : this.renderPrepared()
  }

  /** Renders the statement to be kept prepared, for a text with many values that comes back. */
  renderPrepared(): RenderedStatement {
    const once = this.renderOnce()
    once.name = nameOf(once.text)
    return once
  }

  /** Renders the statement to be planned for its values and not kept prepared. */
  renderOnce(): RenderedStatement {
    const { values } = this
    if (values.length > MAX_PARAMETERS) throw new RangeError(`a statement has at most ${MAX_PARAMETERS} values`)
    return { name: undefined, text: textOf(this.chunks), values: values.map(parameterText) }
  }
}

function tag(strings: TemplateStringsArray, ...parts: (SqlValue | Statement)[]): Statement {
  // Without spliced fragments the template's own array is passed on, so its text is found by identity.
  if (!parts.some((part) => part instanceof Statement)) return new Statement(strings, parts as SqlValue[])
  const chunks = [strings[0] ?? '']
  const values: SqlValue[] = []
  parts.forEach((part, i) => {
    if (part instanceof Statement) splice(chunks, values, part)
    else append(chunks, values, part)
    extendLast(chunks, strings[i + 1] ?? '')
  })
  return new Statement(chunks, values)
}

/** Joins fragments into one statement, with the separator between them. */
function join(fragments: readonly Statement[], separator: Statement = COMMA): Statement {
  const chunks = ['']
  const values: SqlValue[] = []
  fragments.forEach((fragment, i) => {
    if (i > 0) splice(chunks, values, separator)
    splice(chunks, values, fragment)
  })
  return new Statement(chunks, values)
}

/** Quotes a table or column name that is not known when the program is written. */
function identifier(name: string): Statement {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a plain SQL name`)
  return new Statement([`"${name}"`], [])
}

/**
 * `($1, $2), ($3, $4)` for a bulk insert. Where the rows do not go straight into a table's columns, `casts` names their types. The
 * first row's types apply to every row.
 */
function values(rows: readonly (readonly SqlValue[])[], casts: readonly string[] = []): Statement {
  const width = rows[0]?.length ?? 0
  if (width === 0) throw new RangeError('a values list needs a row')
  if (!casts.every((cast) => /^[a-z][a-z0-9_ ]*(\[\])?$/.test(cast))) throw new TypeError('a cast is a plain type name')
  const chunks: string[] = ['(']
  const all: SqlValue[] = []
  rows.forEach((row, r) => {
    if (row.length !== width) throw new RangeError('the rows of a values list are of one length')
    row.forEach((value, c) => {
      const cast = r === 0 && casts[c] !== undefined ? `::${casts[c]}` : ''
      append(chunks, all, value)
      extendLast(chunks, cast + (c < width - 1 ? ', ' : r < rows.length - 1 ? '), (' : ')'))
    })
  })
  return new Statement(chunks, all)
}

type GivenType = 'text' | 'timestamptz' | 'int' | 'bigint' | 'boolean'

/**
 * Rows as the relation `given`: one array for each column, so that one text serves any number of rows and is prepared.
 *
 * @param columns The fields of a row that become columns, by their types.
 * @example sql`update t set n = given.n from ${sql.given(rows, { text: ['id'], int: ['n'] })} where t.id = given.id`
 */
function given<Name extends string>(
  rows: readonly Readonly<Record<NoInfer<Name>, SqlScalar>>[],
  columns: Readonly<Partial<Record<GivenType, readonly Name[]>>>,
): Statement {
  const typed = Object.entries(columns).flatMap(([type, names]) => names.map((name) => ({ name, type })))
  const arrays = typed.map(({ name, type }) => new Statement(['', `::${type}[]`], [rows.map((row) => row[name])]))
  return tag`unnest(${join(arrays)}) as given (${join(typed.map(({ name }) => identifier(name)))})`
}

/** Splits rows into groups that fit into one statement each, together with `others` more values. */
function chunkRows<Row extends readonly SqlValue[]>(rows: readonly Row[], others = 0): Row[][] {
  const height = Math.max(1, Math.floor((MAX_PARAMETERS - others) / Math.max(1, rows[0]?.length ?? 1)))
  return Array.from({ length: Math.ceil(rows.length / height) }, (_, i) => rows.slice(i * height, (i + 1) * height))
}

function append(chunks: string[], values: SqlValue[], value: SqlValue): void {
  values.push(value)
  chunks.push('')
}

function splice(chunks: string[], values: SqlValue[], fragment: Statement): void {
  extendLast(chunks, fragment.chunks[0] ?? '')
  for (let i = 0; i < fragment.values.length; i++) {
    values.push(fragment.values[i] as SqlValue)
    chunks.push(fragment.chunks[i + 1] ?? '')
  }
}

function extendLast(chunks: string[], text: string): void {
  chunks[chunks.length - 1] += text
}

function textOf(chunks: readonly string[]): string {
  const known = templates.get(chunks)
  if (known !== undefined) return known
  let text = chunks[0] ?? ''
  for (let i = 1; i < chunks.length; i++) text += `$${i}${chunks[i]}`
  if (Object.isFrozen(chunks)) templates.set(chunks, text)
  return text
}

// A hash, so that a text has the same name on every connection, before and after the map is emptied.
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= MAX_NAMES) names.clear()
  const name = hash('sha1', text, 'base64url')
  names.set(text, name)
  return name
}

const COMMA = new Statement([', '], [])

export const sql = Object.assign(tag, { empty: new Statement([''], []), join, identifier, values, given, chunkRows })
