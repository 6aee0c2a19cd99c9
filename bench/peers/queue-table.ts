// The table of a comparison with a queue: the middle of the rounds of each figure, ours, theirs, and how many times theirs ours is.
import { median } from '../wrk.ts'
import type { Backlog } from './queue-backlog.ts'
import type { Aftermath } from './queue-crashes.ts'
import { outageSeconds } from './queue-outages.ts'
import type { CpuTimes, Measured } from './queue-scenarios.ts'

/** A scenario's rounds on both sides. */
interface Rounds<Figures> {
  readonly ours: readonly Figures[]
  readonly theirs: readonly Figures[]
}

interface Line<Figures> {
  readonly name: string
  readonly of: (one: Figures) => number
  readonly digits: number
}

const total = ({ sender, store, adding }: CpuTimes) => sender + store + adding
const cpu = ({ cpuMs }: Measured) => total(cpuMs)

const memory: Line<Measured>[] = [
  { name: '… memory of the sender (MB)', of: ({ memoryMb }) => memoryMb.sender, digits: 0 },
  { name: '… of the database (MB)', of: ({ memoryMb }) => memoryMb.store, digits: 0 },
]

function linesOf(scenario: string): Line<Measured>[] {
  const cost: Line<Measured>[] = [
    { name: `${shown(scenario)}: CPU of a thousand deliveries (s)`, of: cpu, digits: 3 },
    { name: '… the sender', of: ({ cpuMs }) => cpuMs.sender, digits: 3 },
    { name: '… the database', of: ({ cpuMs }) => cpuMs.store, digits: 3 },
  ]
  const missing: Line<Measured> = { name: `${shown(scenario)}: not arrived`, of: (one) => one.missing, digits: 0 }
  const doubled: Line<Measured> = { name: `${shown(scenario)}: doubled`, of: (one) => one.duplicates, digits: 0 }
  if (scenario === 'burst' || scenario === 'singly') {
    return [
      { name: `${shown(scenario)}: deliveries/s`, of: (one) => one.perSecond, digits: 0 },
      ...cost,
      ...memory,
      missing,
      doubled,
    ]
  }
  const latency: Line<Measured>[] = [
    { name: `${shown(scenario)}: p50 (ms)`, of: (one) => one.p50, digits: 0 },
    { name: `${shown(scenario)}: p99 (ms)`, of: (one) => one.p99, digits: 0 },
  ]
  const isBeside = Object.hasOwn(BESIDE, scenario)
  return isBeside ? [...latency, missing] : [...latency, ...cost.slice(0, 1), missing, doubled]
}

const BESIDE: Readonly<Record<string, string>> = {
  hung: 'beside an endpoint that hangs',
  failing: 'beside an endpoint that answers 500',
}

function shown(scenario: string): string {
  if (scenario === 'burst') return 'burst, 100 events at once'
  if (scenario === 'singly') return 'burst, one publication an event'
  return BESIDE[scenario] ?? `${scenario}/s`
}

const backlogLines: Line<Backlog>[] = [
  { name: 'publication alone: events/s', of: (one) => one.publishedPerSecond, digits: 0 },
  { name: '… CPU of a thousand events (s)', of: (one) => total(one.publishingCpuMs), digits: 3 },
  { name: 'backlog: deliveries/s', of: (one) => one.perSecond, digits: 0 },
  { name: '… CPU of a thousand deliveries (s)', of: (one) => total(one.cpuMs), digits: 3 },
  { name: '… first arrival after (s)', of: (one) => one.firstAfterMs / 1000, digits: 1 },
  { name: 'backlog: not arrived', of: (one) => one.missing, digits: 0 },
  { name: 'backlog: doubled', of: (one) => one.duplicates, digits: 0 },
]

const aftermathLines: Line<Aftermath>[] = [
  { name: 'deliveries missing', of: (one) => one.missing, digits: 0 },
  { name: 'still in the queue then', of: (one) => one.unfinished, digits: 0 },
  { name: 'doubled', of: (one) => one.doubled, digits: 0 },
  { name: 'last arrival after (s)', of: (one) => one.lastAfterMs / 1000, digits: 1 },
]

export interface Results {
  readonly measured: ReadonlyMap<string, Rounds<Measured>>
  readonly backlogs: ReadonlyMap<string, Rounds<Backlog>>
  readonly stopped: ReadonlyMap<string, Rounds<Aftermath>>
}

export function printTable(peer: string, { measured, backlogs, stopped }: Results): void {
  process.stdout.write(`| | ours | ${peer} | ours to theirs |\n|---|---|---|---|\n`)
  for (const [scenario, rounds] of measured) for (const line of linesOf(scenario)) printLine(line, rounds)
  for (const rounds of backlogs.values()) for (const line of backlogLines) printLine(line, rounds)
  for (const [which, rounds] of stopped) {
    const event = outageSeconds(which) === null ? `${which} killed` : which
    for (const line of aftermathLines) printLine({ ...line, name: `${event}: ${line.name}` }, rounds)
  }
}

function printLine<Figures>({ name, of, digits }: Line<Figures>, rounds: Rounds<Figures>): void {
  const [ours, theirs] = [rounds.ours, rounds.theirs].map((side) => median(side.map(of))) as [number, number]
  const text = (side: readonly Figures[], value: number) => {
    // A side that was left out.
    if (side.length === 0) return ''
    return Number.isFinite(value) ? Number(value.toFixed(digits)).toLocaleString('en') : 'never'
  }
  const ratio = [ours, theirs, ours / theirs].every(Number.isFinite) ? (ours / theirs).toFixed(2) : ''
  process.stdout.write(`| ${name} | ${text(rounds.ours, ours)} | ${text(rounds.theirs, theirs)} | ${ratio} |\n`)
}
