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
  readonly #files = new Map<string, { told: CsvFault[]; untold: number }>()
  /** Files that were not read to their end. Their missing rows are unknown. */
  readonly cut = new Set<string>()

  tell(file: string, line: number | null, column: string | null, detail: string): void {
    const known = this.#files.get(file) ?? { told: [], untold: 0 }
    this.#files.set(file, known)
    if (known.told.length < MOST_FAULTS) known.told.push({ file, line, column, detail })
    else known.untold += 1
  }

  /** Adds a fault that ends the reading of the file. */
  tellEnd(file: string, line: number | null, column: string | null, detail: string): void {
    this.cut.add(file)
    this.tell(file, line, column, detail)
  }

  get isEmpty(): boolean {
    return this.#files.size === 0
  }

  /** Sorted by the given order of files, then by line. Faults of other files come first. */
  told(files: readonly string[]): CsvFault[] {
    const all = [...this.#files.values()].flatMap(({ told }) => told)
    return all.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0))
  }

  /** The number of further faults, by file. */
  get untold(): Record<string, number> {
    const more = [...this.#files].filter(([, { untold }]) => untold > 0)
    return Object.fromEntries(more.map(([file, { untold }]) => [file, untold]))
  }
}
