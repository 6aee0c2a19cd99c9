// What is wrong with the files of a CSV import, each fault with its file, line and column. Values are never quoted.

export type CsvFault = {
  file: string
  /** The header's is 1; null for a file as a whole. */
  line: number | null
  /** Null for a row as a whole. */
  column: string | null
  detail: string
}

/** Told of one file; the rest is counted. */
export const MOST_FAULTS = 50

export class CsvFaults {
  readonly #files = new Map<string, { told: CsvFault[]; untold: number }>()
  /** Files that were not read to their end: what is missing of them is not known. */
  readonly cut = new Set<string>()

  tell(file: string, line: number | null, column: string | null, detail: string): void {
    const known = this.#files.get(file) ?? { told: [], untold: 0 }
    this.#files.set(file, known)
    if (known.told.length < MOST_FAULTS) known.told.push({ file, line, column, detail })
    else known.untold += 1
  }

  /** The same, of a fault behind which nothing of the file is read. */
  tellEnd(file: string, line: number | null, column: string | null, detail: string): void {
    this.cut.add(file)
    this.tell(file, line, column, detail)
  }

  get isEmpty(): boolean {
    return this.#files.size === 0
  }

  /** By file, in this order of the files, and of the lines; first those of none of the files. */
  told(files: readonly string[]): CsvFault[] {
    const all = [...this.#files.values()].flatMap(({ told }) => told)
    return all.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0))
  }

  /** How many more there are, by file. */
  get untold(): Record<string, number> {
    const more = [...this.#files].filter(([, { untold }]) => untold > 0)
    return Object.fromEntries(more.map(([file, { untold }]) => [file, untold]))
  }
}
