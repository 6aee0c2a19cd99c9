// The figures that stand beside a chart: round ones, from zero or below over everything that is drawn.

/** Steps that people count in, times a power of ten. */
const ROUND = [1, 2, 2.5, 5, 10]
const STEPS = 4

export interface Axis {
  readonly from: number
  readonly to: number
  /** From the lowest to the highest, which are the ends of the axis. */
  readonly ticks: readonly number[]
}

/** @example axisOver([3, 7]).ticks // 0, 2, 4, 6, 8 */
export function axisOver(values: readonly number[]): Axis {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = roundStep((most - least) / STEPS || 1, values.every(Number.isInteger))
  const first = Math.floor(least / step)
  const last = Math.max(Math.ceil(most / step), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, n) => rounded((first + n) * step))
  return { from: first * step, to: last * step, ticks }
}

/** There are no halves of things that are counted. */
function roundStep(least: number, isCounted: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const round = ROUND.map((one) => one * power).find((one) => one >= least && (!isCounted || Number.isInteger(one)))
  return round ?? (isCounted ? Math.ceil(least) : least)
}

/** 0.1 times 3 is not 0.3. */
const rounded = (value: number) => Number(value.toPrecision(12))
