// A chart of bars or lines over time or names, in the reader's direction and colours, with the same figures as a table for screen readers.
// It is drawn in shares of its place, so it is measured nowhere and fits every width.
//
//   <Chart kind="bars" label="Requests" points={points} series={[{ key: 'sent', name: 'Sent', tone: 'main' }]} shown={count} />
import { type CSSProperties, type PointerEvent, useState } from 'react'
import { type Axis, axisOver } from './chart-axis.ts'
import { barPath, dotPath, linePath } from './chart-paths.ts'
import './chart.css'

/** A point's `name` stands below the axis. */
export type Point = Readonly<{ name: string } & Record<string, string | number | null>>

export interface Series {
  /** The field of each point. */
  key: string
  name: string
  /** The second to the fourth tell things apart that are neither good nor bad. */
  tone: 'main' | 'good' | 'bad' | 'quiet' | 'second' | 'third' | 'fourth'
}

export interface ChartProps {
  kind: 'bars' | 'stacked' | 'lines'
  /** It says what the chart shows, for whoever cannot see it. */
  label: string
  points: readonly Point[]
  series: readonly Series[]
  /** A figure as text. */
  shown: (value: number) => string
  height?: number
}

const colour = ({ tone }: Series) => `var(--console-chart-${tone})`

const figureOf = (point: Point | undefined, { key }: Series) => {
  const value = point?.[key]
  return typeof value === 'number' ? value : null
}

export function Chart({ kind, label, points, series, shown, height = 220 }: ChartProps) {
  const figures = series.map((one) => points.map((point) => figureOf(point, one)))
  const drawn = kind === 'stacked' ? [...figures, sums(figures)] : figures
  const axis = axisOver(drawn.flat().filter((value) => value !== null))
  return (
    <figure className="chart" aria-label={label}>
      <div className="chart-drawing" style={{ blockSize: height }} aria-hidden="true">
        <div className="chart-figures">
          {axis.ticks.toReversed().map((tick) => (
            <span key={tick}>{shown(tick)}</span>
          ))}
        </div>
        <div className="chart-plot">
          <Drawing kind={kind} series={series} figures={figures} axis={axis} />
          <Hints points={points} series={series} shown={shown} />
        </div>
        <Names points={points} />
        {series.length > 1 && <Legend series={series} />}
      </div>
      <FigureTable label={label} points={points} series={series} shown={shown} />
    </figure>
  )
}

type Figures = readonly (readonly (number | null)[])[]

const sums = ([first = [], ...others]: Figures) =>
  first.map((value, at) => others.reduce((sum, one) => sum + (one[at] ?? 0), value ?? 0))

interface DrawingProps {
  kind: ChartProps['kind']
  series: readonly Series[]
  figures: Figures
  axis: Axis
}

/** A line needs two neighbours to be seen. */
const isSparse = (values: readonly (number | null)[]) => values.filter((value) => value !== null).length < 3

/** One path a series: as many points as there are, it is drawn at once. */
function Drawing({ kind, series, figures, axis }: DrawingProps) {
  const count = figures[0]?.length ?? 0
  const level = (value: number) => (axis.to - value) / (axis.to - axis.from)
  return (
    <svg viewBox={`0 0 ${Math.max(count, 1)} 1`} preserveAspectRatio="none" aria-hidden="true">
      <path className="chart-grid" d={axis.ticks.map((tick) => `M0 ${level(tick)}H${count}`).join('')} />
      {series.map((one, at) => {
        const values = figures[at] ?? []
        if (kind === 'lines') {
          return (
            <g key={one.key} stroke={colour(one)}>
              <path className="chart-line" d={linePath(values, level)} />
              {isSparse(values) && <path className="chart-dots" d={dotPath(values, level)} />}
            </g>
          )
        }
        const place = kind === 'stacked' ? { below: figures.slice(0, at) } : { beside: { at, of: series.length } }
        return <path key={one.key} fill={colour(one)} d={barPath(values, level, place)} />
      })}
    </svg>
  )
}

const centre = (at: number, count: number) => `${((at + 0.5) / count) * 100}%`

/** About as wide as a character of them, with the room between two: in shares of a plot of 300 and of 600 pixels. */
const CHARACTER = { narrow: 7 / 300, wide: 7 / 600 }
const ROOM_CHARACTERS = 3

/** As many names as have room. How wide the chart is, the style sheet knows. */
function Names({ points }: { points: readonly Point[] }) {
  const longest = Math.max(0, ...points.map(({ name }) => name.length)) + ROOM_CHARACTERS
  const every = (character: number) => Math.max(1, Math.ceil(points.length * longest * character))
  const [narrow, wide] = [every(CHARACTER.narrow), every(CHARACTER.wide)]
  return (
    <div className="chart-names">
      {points.map(
        ({ name }, at) =>
          (at % narrow === 0 || at % wide === 0) && (
            <span
              key={name}
              data-for={at % narrow !== 0 ? 'wide' : at % wide !== 0 ? 'narrow' : undefined}
              style={{ insetInlineStart: centre(at, points.length) }}
            >
              {name}
            </span>
          ),
      )}
    </div>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <div className="chart-legend">
      {series.map((one) => (
        <span key={one.key}>
          <Dot of={one} />
          <bdi>{one.name}</bdi>
        </span>
      ))}
    </div>
  )
}

function Dot({ of }: { of: Series }) {
  return <span className="chart-dot" style={{ background: colour(of) }} />
}

/** Shows the point under the pointer. It is drawn anew as the pointer moves, and nothing else is. */
function Hints({ points, series, shown }: Pick<ChartProps, 'points' | 'series' | 'shown'>) {
  const [at, setAt] = useState<number | null>(null)
  const move = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, right, width } = currentTarget.getBoundingClientRect()
    const isMirrored = getComputedStyle(currentTarget).direction === 'rtl'
    const share = (isMirrored ? right - clientX : clientX - left) / width
    setAt(Math.min(points.length - 1, Math.max(0, Math.floor(share * points.length))))
  }
  const point = at === null ? undefined : points[at]
  const style: CSSProperties = at === null ? {} : { insetInlineStart: centre(at, points.length) }
  return (
    <div className="chart-hints" onPointerMove={move} onPointerLeave={() => setAt(null)}>
      {at !== null && point && (
        <>
          <div className="chart-cursor" style={{ ...style, inlineSize: `${100 / points.length}%` }} />
          <div className="chart-hint" data-side={at < points.length / 2 ? 'after' : 'before'} style={style}>
            <strong>{point.name}</strong>
            {series.map((one) => {
              const value = figureOf(point, one)
              return (
                <div key={one.key}>
                  <Dot of={one} />
                  {one.name}: <bdi>{value === null ? '–' : shown(value)}</bdi>
                </div>
              )
            })}
          </div>
        </>
      )}
    </div>
  )
}

function FigureTable({ label, points, series, shown }: Pick<ChartProps, 'label' | 'points' | 'series' | 'shown'>) {
  return (
    <table className="unseen">
      <caption>{label}</caption>
      <thead>
        <tr>
          <td />
          {series.map(({ key, name }) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.name}>
            <th scope="row">{point.name}</th>
            {series.map((one) => {
              const value = figureOf(point, one)
              return <td key={one.key}>{value === null ? '–' : shown(value)}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
