// One measured goal, as a line that `goals.ts` collects.

export interface Goal {
  /** It says what was measured, and at what load: the table's first column. */
  name: string
  value: number
  unit: '%' | '/s' | 'ms' | 'µs' | 'MB' | 's' | '×'
  limit: { atLeast: number } | { atMost: number }
  /** The goal was compared with this, measured in the same run. */
  opponent?: string
}

const MARK = 'goal: '

/** Prints what a program measured. */
export function report(goal: Goal): void {
  process.stdout.write(`${MARK}${JSON.stringify(goal)}\n`)
}

/** The goals among the lines that a program printed. */
export function goalsOf(output: string): Goal[] {
  const lines = output.split('\n').filter((line) => line.startsWith(MARK))
  return lines.map((line) => JSON.parse(line.slice(MARK.length)) as Goal)
}
