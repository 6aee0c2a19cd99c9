// SQL as values: a tagged template that keeps statement and parameters apart, composes, and names its prepared statements.

import { hash } from 'node:crypto'
import { type Chunks, composedChunks, VALUE } from './composed-chunks.ts'
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
const templates = new WeakMap<Chunks, string>()

type Part = SqlValue | Statement

/** Literal text around values: `chunks` has one element more than `values`. */
export class Statement {
  readonly chunks: Chunks
  readonly values: readonly SqlValue[]
  /** Whether the chunks come back by identity: then their text is kept. */
  readonly isLasting: boolean

  constructor(chunks: Chunks, values: readonly SqlValue[], isLasting = Object.isFrozen(chunks)) {
    this.chunks = chunks
    this.values = values
    this.isLasting = isLasting
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
    return { name: undefined, text: textOf(this), values: values.map(parameterText) }
  }
}

function tag(strings: TemplateStringsArray, ...parts: Part[]): Statement {
  // Without spliced fragments the template's own array is passed on, so its text is found by identity.
  if (!parts.some((part) => part instanceof Statement)) return new Statement(strings, parts as SqlValue[], true)
  return composed(strings, parts, [strings])
}

/** Joins fragments into one statement, with the separator between them. */
function join(fragments: readonly Statement[], separator: Statement = COMMA): Statement {
  const parts = fragments.flatMap((fragment, i) => (i === 0 ? [fragment] : [separator, fragment]))
  return composed([], parts, [join])
}

/** @param key What the parts are composed by. Together with the parts it determines the chunks. */
function composed(texts: Chunks, parts: readonly Part[], key: unknown[]): Statement {
  const values: SqlValue[] = []
  let isLasting = true
  for (const part of parts) {
    if (part instanceof Statement) {
      key.push(part.chunks)
      for (const value of part.values) values.push(value)
      isLasting &&= part.isLasting
    } else {
      key.push(VALUE)
      values.push(part)
    }
  }
  const make = () => woven(texts, parts)
  return new Statement(isLasting ? composedChunks(key, make) : make(), values, isLasting)
}

function woven(texts: Chunks, parts: readonly Part[]): string[] {
  const chunks = [texts[0] ?? '']
  parts.forEach((part, i) => {
    const [first, ...others] = part instanceof Statement ? part.chunks : ['', '']
    extendLast(chunks, first ?? '')
    for (const other of others) chunks.push(other)
    extendLast(chunks, texts[i + 1] ?? '')
  })
  return chunks
}

/** Quotes a table or column name that is not known when the program is written. */
function identifier(name: string): Statement {
  return new Statement(
    composedChunks([identifier, name], () => [quotedName(name)]),
    [],
    true,
  )
}

function quotedName(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a plain SQL name`)
  return `"${name}"`
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

const ARRAYS = {
  text: ['', '::text[]'],
  timestamptz: ['', '::timestamptz[]'],
  int: ['', '::int[]'],
  bigint: ['', '::bigint[]'],
  boolean: ['', '::boolean[]'],
} as const

type GivenType = keyof typeof ARRAYS

/**
 * Rows as the relation `input`: one array for each column, so that one text serves any number of rows and is prepared.
 *
 * @param columns The fields of a row that become columns, by their types.
 * @example sql`update t set n = input.n from ${sql.input(rows, { text: ['id'], int: ['n'] })} where t.id = input.id`
 */
function input<Name extends string>(
  rows: readonly Readonly<Record<NoInfer<Name>, SqlScalar>>[],
  columns: Readonly<Partial<Record<GivenType, readonly Name[]>>>,
): Statement {
  const typed = (Object.entries(columns) as [GivenType, readonly Name[]][]).flatMap(([type, names]) =>
    names.map((name) => ({ name, type })),
  )
  const arrays = typed.map(({ name, type }) => new Statement(ARRAYS[type], [rows.map((row) => row[name])], true))
  return tag`unnest(${join(arrays)}) as input (${join(typed.map(({ name }) => identifier(name)))})`
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

function extendLast(chunks: string[], text: string): void {
  chunks[chunks.length - 1] += text
}

function textOf({ chunks, isLasting }: Statement): string {
  const known = templates.get(chunks)
  if (known !== undefined) return known
  let text = chunks[0] ?? ''
  for (let i = 1; i < chunks.length; i++) text += `$${i}${chunks[i]}`
  if (isLasting) templates.set(chunks, text)
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

const COMMA = tag`, `

export const sql = Object.assign(tag, { empty: tag``, join, identifier, values, input, chunkRows })
