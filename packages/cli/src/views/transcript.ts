// Prints a call's transcript below its fields, one segment per line.
import { cellText, type Row, valueAt } from './cells.ts'
import { emphasized, type Layout } from './table.ts'

const GUTTER = '  '

/** Empty for a call without a transcript. */
export function transcriptText(call: Row, layout: Layout): string {
  const segments = valueAt(call, 'transcript.segments')
  if (!Array.isArray(segments) || segments.length === 0) return ''
  const lines = segments.map((segment: Row) => [
    clock(Number(segment.start_seconds)),
    cellText(segment.speaker),
    cellText(segment.text),
  ])
  const widths = [0, 1].map((place) => lines.reduce((width, line) => Math.max(width, line[place]?.length ?? 0), 0))
  const [ofTime = 0, ofSpeaker = 0] = widths
  const said = lines.map(([time = '', speaker = '', text = '']) =>
    [time.padStart(ofTime), speaker.padEnd(ofSpeaker), text].join(GUTTER),
  )
  return ['', emphasized('transcript', layout), ...said, ''].join('\n')
}

/** `1:05`, `1:02:05`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
