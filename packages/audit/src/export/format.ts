// A format of an exported audit log: how each entry is a line, and what a line says.
//
// A line is verified by making it again from what it proves, and comparing the two byte for byte. So nothing that a reader finds in a line is
// unverified, and a line is a pure function of its entry and of the file's first one.
import type { Entry, FirstEntry, FormatName } from './entries.ts'

export interface Format {
  readonly name: FormatName
  /** A line before all entries. */
  readonly heading: string | null
  /** Without the line feed that ends each line. Null when the canonical text of the row is no row. */
  readonly lineOf: (entry: Entry, first: FirstEntry) => string | null
  /** Finds what a line proves. Null for a line of another format. */
  readonly proofIn: (line: string) => Proof | null
}

export type Proof =
  /** The text of an entry. */
  | { text: string }
  /** A row: its canonical text, and the seal that it names. */
  | { canonical: string; seal: number | null }

export function isSealNumber(value: unknown): value is number | null {
  return value === null || (Number.isSafeInteger(value) && Number(value) > 0)
}
