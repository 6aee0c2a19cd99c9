// A chart of bars or lines over time or names, in the reader's direction and colours, with the same figures as a table for screen readers.
//
//   const Chart = lazy(…)   // this file, when a page that draws one is opened
//   <Chart kind="bars" label="Requests" points={points} series={[{ key: 'sent', name: 'Sent', tone: 'main' }]} shown={count} />
import { useDirection } from '@mantine/core'
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Legend,
  Line,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'

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
  /** What the chart shows, for whoever cannot see it. */
  label: string
  points: readonly Point[]
  series: readonly Series[]
  /** A figure as text. */
  shown: (value: number) => string
  height?: number
}

/** A line needs two neighbours to be seen. */
const isSparse = (points: readonly Point[], { key }: Series) =>
  points.filter((point) => typeof point[key] === 'number').length < 3

const colour = ({ tone }: Series) => `var(--console-chart-${tone})`

export default function Chart({ kind, label, points, series, shown, height = 220 }: ChartProps) {
  const { dir } = useDirection()
  const isMirrored = dir === 'rtl'
  return (
    <figure className="chart" aria-label={label}>
      {/* The drawing itself always runs from left to right: its axes are turned instead. */}
      <div dir="ltr" aria-hidden="true">
        <ResponsiveContainer width="100%" height={height}>
          <ComposedChart
            data={[...points]}
            margin={{ top: 8, right: 8, bottom: 0, left: 8 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--console-line)" />
            <XAxis
              dataKey="name"
              reversed={isMirrored}
              tickLine={false}
              axisLine={false}
              minTickGap={24}
              fontSize={12}
            />
            <YAxis
              orientation={isMirrored ? 'right' : 'left'}
              tickFormatter={(value: number) => isolated(shown(value), dir)}
              tickLine={false}
              axisLine={false}
              width="auto"
              fontSize={12}
            />
            <Tooltip
              content={(hint) => <Hint {...hint} shown={shown} dir={dir} />}
              cursor={{ fill: 'var(--console-quiet)' }}
            />
            {series.length > 1 && (
              <Legend
                iconType="circle"
                iconSize={8}
                wrapperStyle={{ fontSize: 13 }}
                // In the order of the series, and in the colour of the text: a pale one could not be read.
                itemSorter={null}
                formatter={(name) => (
                  <bdi dir={dir} className="chart-name">
                    {name}
                  </bdi>
                )}
              />
            )}
            {series.map((one) =>
              kind === 'lines' ? (
                <Line
                  key={one.key}
                  dataKey={one.key}
                  name={one.name}
                  stroke={colour(one)}
                  strokeWidth={2}
                  dot={isSparse(points, one)}
                  isAnimationActive={false}
                />
              ) : (
                <Bar
                  key={one.key}
                  dataKey={one.key}
                  name={one.name}
                  fill={colour(one)}
                  maxBarSize={36}
                  isAnimationActive={false}
                  {...(kind === 'stacked' && { stackId: 'all' })}
                />
              ),
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <FigureTable label={label} points={points} series={series} shown={shown} />
    </figure>
  )
}

/** A text of the reader's direction within the drawing. */
function isolated(text: string, dir: 'ltr' | 'rtl'): string {
  return dir === 'rtl' ? `\u2067${text}\u2069` : text
}

type HintProps = TooltipContentProps & { shown: (value: number) => string; dir: 'ltr' | 'rtl' }

/** What the pointer is over. */
function Hint({ active, payload, label, shown, dir }: HintProps) {
  if (!active || payload.length === 0) return null
  return (
    <div className="chart-hint" dir={dir}>
      <strong>{label}</strong>
      {payload.map(({ dataKey, name, value, color }) => (
        <div key={String(dataKey)}>
          <span className="chart-dot" style={{ background: color }} />
          {name}: <bdi>{typeof value === 'number' ? shown(value) : '–'}</bdi>
        </div>
      ))}
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
            {series.map(({ key }) => {
              const value = point[key]
              return <td key={key}>{typeof value === 'number' ? shown(value) : '–'}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
