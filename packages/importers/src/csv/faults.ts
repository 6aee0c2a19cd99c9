// Collects the faults of a CSV import, each with its file, line and column. Never quotes values.

export type CsvFault = {
  file: string
  /** The header's line is 1. Null for the file as a whole. */
  line: number | null
  /** Null for the row as a whole. */
  column: string | null
  detail: string
}

/** The faults kept for one file. Further ones are counted. */
export const MOST_FAULTS = 50

export class CsvFaults {
  readonly #files = new Map<string, { listed: CsvFault[]; unlisted: number }>()
  /** Files that were not read to their end. Their missing rows are unknown. */
  readonly cut = new Set<string>()

  add(file: string, line: number | null, column: string | null, detail: string): void {
    const known = this.#files.get(file) ?? { listed: [], unlisted: 0 }
    this.#files.set(file, known)
    if (known.listed.length < MOST_FAULTS) known.listed.push({ file, line, column, detail })
    else known.unlisted += 1
  }

  /** Adds a fault that ends the reading of the file. */
  addLast(file: string, line: number | null, column: string | null, detail: string): void {
    this.cut.add(file)
    this.add(file, line, column, detail)
  }

  get isEmpty(): boolean {
    return this.#files.size === 0
  }

  /** Sorted by the given order of files, then by line. Faults of other files come first. */
  listed(files: readonly string[]): CsvFault[] {
    const all = [...this.#files.values()].flatMap(({ listed }) => listed)
    return all.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0))
  }

  /** The number of further faults, by file. */
  get unlisted(): Record<string, number> {
    const more = [...this.#files].filter(([, { unlisted }]) => unlisted > 0)
    return Object.fromEntries(more.map(([file, { unlisted }]) => [file, unlisted]))
  }
}
