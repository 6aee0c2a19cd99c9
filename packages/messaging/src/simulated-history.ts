// Decides what happens to a simulated message: at random by shares, or by the last digits of its phone.

import type { ReceiptReport } from './messaging-platform.ts'
import { wholeSeconds } from './report-instant.ts'

/** From and to, both included; milliseconds. */
export type Delay = readonly [fromMs: number, toMs: number]

/** Shares are between 0 and 1. */
export interface SimulationRules {
  /** Share of all messages that the platform refuses. */
  refusedShare: number
  /** Share of all messages whose first send is throttled. */
  throttledShare: number
  /** Share of all messages whose send gets no answer. Half of them are accepted nevertheless. */
  unansweredShare: number
  /** Share of accepted messages that fail later. */
  failedShare: number
  /** Share of the other accepted messages that never reach a handset. */
  unreachableShare: number
  /** Share of delivered messages that are opened by someone with read receipts turned on. */
  readShare: number
  /** Share of read messages that are opened on arrival. For these `read` is reported without `delivered`. */
  readAtOnceShare: number
  /** Share of messages whose reports come twice. */
  repeatedShare: number
  /** Share of messages whose reports come in reverse order. */
  reversedShare: number
  /** The time until a send is answered. */
  answer: Delay
  /** The time from each step to the next. A failure takes as long as the delivery would have. */
  sent: Delay
  delivered: Delay
  read: Delay
  /** The time from a step to its report. */
  report: Delay
}

/** A quiet day: nearly everything arrives and is read within seconds, so that a developer can watch it. */
export const QUIET_DAY: SimulationRules = {
  refusedShare: 0,
  throttledShare: 0,
  unansweredShare: 0,
  failedShare: 0.01,
  unreachableShare: 0.02,
  readShare: 0.8,
  readAtOnceShare: 0.05,
  repeatedShare: 0.02,
  reversedShare: 0.02,
  answer: [50, 250],
  sent: [100, 500],
  delivered: [500, 3000],
  read: [2000, 20_000],
  report: [50, 500],
}

type Step = ReceiptReport['status']

export interface Fate {
  /** `unanswered` was accepted, `lost` was not. The sender gets the same result for both. */
  send: 'accepted' | 'refused' | 'throttled' | 'unanswered' | 'lost'
  /** The steps after the acceptance. */
  steps: readonly Step[]
  isRepeated: boolean
  isReversed: boolean
}

const FULL: readonly Step[] = ['sent', 'delivered', 'read']
const ONCE = { isRepeated: false, isReversed: false }

/**
 * Last four digits of phones with a fixed fate, for trying out rare cases. The shares do not apply to them.
 *
 * `0001` refused; `0002` accepted, then failed; `0003` delivered, never read; `0004` accepted, never delivered; `0005` throttled
 * once, then read; `0006` not answered though accepted, then read; `0007` not answered and lost; `0008` read, each report twice and
 * the last one first; `0009` read as it arrived.
 */
const FIXED: ReadonlyMap<string, Fate> = new Map<string, Fate>([
  ['0001', { send: 'refused', steps: [], ...ONCE }],
  ['0002', { send: 'accepted', steps: ['sent', 'failed'], ...ONCE }],
  ['0003', { send: 'accepted', steps: ['sent', 'delivered'], ...ONCE }],
  ['0004', { send: 'accepted', steps: ['sent'], ...ONCE }],
  ['0005', { send: 'throttled', steps: FULL, ...ONCE }],
  ['0006', { send: 'unanswered', steps: FULL, ...ONCE }],
  ['0007', { send: 'lost', steps: [], ...ONCE }],
  ['0008', { send: 'accepted', steps: FULL, isRepeated: true, isReversed: true }],
  ['0009', { send: 'accepted', steps: ['sent', 'read'], ...ONCE }],
])

/** Returns a number from 0 up to but not including 1. */
export type Random = () => number

export function fateOf(to_phone: string, rules: SimulationRules, random: Random): Fate {
  const fixed = FIXED.get(to_phone.slice(-4))
  if (fixed !== undefined) return fixed
  const chance: Chance = (share) => random() < share
  return {
    send: sendOf(rules, chance),
    steps: stepsOf(rules, chance),
    isRepeated: chance(rules.repeatedShare),
    isReversed: chance(rules.reversedShare),
  }
}

type Chance = (share: number) => boolean

function sendOf(rules: SimulationRules, chance: Chance): Fate['send'] {
  if (chance(rules.refusedShare)) return 'refused'
  if (chance(rules.throttledShare)) return 'throttled'
  if (chance(rules.unansweredShare)) return chance(0.5) ? 'unanswered' : 'lost'
  return 'accepted'
}

function stepsOf(rules: SimulationRules, chance: Chance): readonly Step[] {
  // A failure can be reported before or after the acceptance.
  if (chance(rules.failedShare)) return chance(0.5) ? ['failed'] : ['sent', 'failed']
  if (chance(rules.unreachableShare)) return ['sent']
  if (!chance(rules.readShare)) return ['sent', 'delivered']
  return chance(rules.readAtOnceShare) ? ['sent', 'read'] : FULL
}

export interface HistoryEntry {
  status: Step
  /** ISO 8601, whole seconds. */
  at: string
  /** Milliseconds after the acceptance. */
  reportedAfterMs: number
}

/** The time between two reports in reverse order, and between a report and its repetition. */
const APART_MS = 1000

/** The reports about an accepted message and their times. A report never comes before its step. */
export function historyOf(fate: Fate, acceptedMs: number, rules: SimulationRules, random: Random): HistoryEntry[] {
  const delays = { sent: rules.sent, delivered: rules.delivered, read: rules.read, failed: rules.delivered }
  let afterMs = 0
  let reportedAfterMs = 0
  const inOrder = fate.steps.map((status): HistoryEntry => {
    afterMs += drawnMs(delays[status], random)
    reportedAfterMs = Math.max(reportedAfterMs, afterMs + drawnMs(rules.report, random))
    return { status, at: wholeSeconds(acceptedMs + afterMs), reportedAfterMs }
  })
  const last = inOrder.length - 1
  const entries = fate.isReversed
    ? inOrder.map((entry, i) => ({ ...entry, reportedAfterMs: reportedAfterMs + (last - i) * APART_MS }))
    : inOrder
  const again = entries.map((entry) => ({ ...entry, reportedAfterMs: entry.reportedAfterMs + APART_MS }))
  return fate.isRepeated ? [...entries, ...again] : entries
}

/** Whole milliseconds. */
export function drawnMs([fromMs, toMs]: Delay, random: Random): number {
  return Math.round(fromMs + random() * (toMs - fromMs))
}
