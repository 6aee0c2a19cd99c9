// Makes rows of what the server sends as texts.

import { columnTypes } from './column-value.ts'

export type Row = Record<string, unknown>

/** A row as it is sent. */
export type RowTexts = readonly (string | null)[]

export interface Column {
  readonly name: string
  readonly dataTypeID: number
}

/** The columns of one result. Those of a prepared statement never change. */
export class RowReader {
  readonly #names: string[]
  readonly #parsers: ((text: string) => unknown)[]
  /** Copied for each row: a row that begins with all its fields is made sooner than one that gains them. */
  readonly #blank: Row

  constructor(columns: readonly Column[]) {
    this.#names = columns.map(({ name }) => name)
    this.#parsers = columns.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID))
    this.#blank = Object.fromEntries(this.#names.map((name) => [name, null]))
  }

  /** @throws RangeError or SyntaxError for a column that cannot be read. */
  read(texts: RowTexts): Row {
    const row = { ...this.#blank }
    for (let i = 0; i < texts.length; i++) {
      const [name, parse, text] = [this.#names[i], this.#parsers[i], texts[i]]
      if (name !== undefined && parse !== undefined && text != null) row[name] = parse(text)
    }
    return row
  }
}
