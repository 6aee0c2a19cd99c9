// The conformance kit: checks a backend against the rules of the port, one after the other.
//
//   const report = await runConformance({ url, token, key, otherKey, writes: false })
//   report.rules.filter(({ result }) => result === 'failed')
import { type GroundOptions, prepareGround } from './ground.ts'
import { PortCaller } from './port-caller.ts'
import type { Ground, Rule } from './rule.ts'
import { lacking, type RuleReport, skippedRule, tryRule } from './rule-report.ts'
import { rules } from './rules.ts'

export { Unusable } from './ground.ts'

export interface ConformanceOptions extends GroundOptions {
  /** The address of the port, without its paths. */
  url: string
  token: string
  /** Whether the rules that write may run. */
  writes: boolean
  onRule?: (name: string, number: number, of: number) => void
}

export interface ConformanceReport {
  backend: string
  /** Null when the backend does not find the key's owner. */
  clinic_id: string | null
  other_clinic_id: string | null
  held: number
  failed: number
  skipped: number
  calls: number
  duration_ms: number
  rules: readonly RuleReport[]
}

/** After this many rules in a row without an answer, the backend counts as gone. */
const GONE_AFTER = 3

/**
 * Groups of rules that compare several answers. Between two answers a clinic in use may change: a message is read, a visit
 * is moved. A real fault shows the second time too.
 */
const COMPARING = ['answers', 'pages', 'order', 'filters', 'periods', 'changes', 'searches', 'ids', 'availability']

/** @throws Unusable */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const startedAt = performance.now()
  const port = new PortCaller(options.url, options.token)
  const ground = await prepareGround(port, options)
  const run = new Run(options)
  const isWriting = ({ needs }: Rule) => needs.includes('writes')
  for (const rule of rules.filter((one) => !isWriting(one))) await run.try(rule, ground)
  await run.tryAgain(ground.anew())
  for (const rule of rules.filter(isWriting)) await run.try(rule, ground)
  const reports = rules.flatMap((rule) => run.reports.get(rule) ?? [])
  const count = (result: RuleReport['result']) => reports.filter((report) => report.result === result).length
  return {
    backend: options.url,
    clinic_id: ground.side?.clinic.clinic.clinic_id ?? null,
    other_clinic_id: ground.otherSide?.clinic.clinic.clinic_id ?? null,
    held: count('held'),
    failed: count('failed'),
    skipped: count('skipped'),
    calls: port.calls,
    duration_ms: Math.round(performance.now() - startedAt),
    rules: reports,
  }
}

class Run {
  readonly reports = new Map<Rule, RuleReport>()
  readonly #options: ConformanceOptions
  #unanswered = 0

  constructor(options: ConformanceOptions) {
    this.#options = options
  }

  async try(rule: Rule, ground: Ground): Promise<void> {
    const { onRule, writes } = this.#options
    onRule?.(rule.name, this.reports.size + 1, rules.length)
    const isGone = this.#unanswered >= GONE_AFTER
    const reason = isGone ? 'the backend no longer answers' : lacking(rule, ground, writes)
    if (reason === null) this.reports.set(rule, await this.#report(rule, ground))
    else this.reports.set(rule, skippedRule(rule, reason))
  }

  /** Tries a failed rule again, with nothing remembered, when a change of the data may have been the reason. */
  async tryAgain(ground: Ground): Promise<void> {
    for (const [rule, { result }] of this.reports) {
      const isComparing = COMPARING.includes(rule.name.split('.', 1)[0] ?? '')
      if (result !== 'failed' || !isComparing || this.#unanswered > 0) continue
      const report = await this.#report(rule, ground)
      const note = 'failed at first but held when tried again: the data changed meanwhile, or the answers vary'
      this.reports.set(rule, report.result === 'failed' ? report : { ...report, notes: [...report.notes, note] })
    }
  }

  async #report(rule: Rule, ground: Ground): Promise<RuleReport> {
    const { report, isAnswered } = await tryRule(rule, ground)
    this.#unanswered = isAnswered ? 0 : this.#unanswered + 1
    return report
  }
}
