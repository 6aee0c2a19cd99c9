// Tries one rule, and reports whether it held or what was found.
import { NoAnswer } from './port-caller.ts'
import { type Finding, type Ground, type Need, type Rule, Trial } from './rule.ts'

export interface RuleReport {
  name: string
  protects: string
  result: 'held' | 'failed' | 'skipped'
  /** Why it was skipped. */
  reason: string | null
  /** How many questions could have shown a fault. */
  tried: number
  /** How many of them showed one. */
  broken: number
  findings: readonly Finding[]
  /** Each names something that could not be tried, and why. */
  notes: readonly string[]
}

/** A rule that takes longer is stopped: the backend is too slow to check it. On a busy machine one has taken 100 s. */
const RULE_MS = 180_000

export async function tryRule(rule: Rule, ground: Ground): Promise<{ report: RuleReport; isAnswered: boolean }> {
  const trial = new Trial(ground)
  let isAnswered = true
  ground.port.until = performance.now() + RULE_MS
  try {
    await rule.check(trial)
  } catch (error) {
    isAnswered = !(error instanceof NoAnswer)
    // The text of another error could quote the reply.
    const came =
      error instanceof NoAnswer ? error.message : `an answer that it cannot check (${(error as Error | null)?.name})`
    trial.saw('the port', 'the next question of this rule', came).expect('an answer that the rule can check', false)
  } finally {
    ground.port.until = Number.POSITIVE_INFINITY
  }
  const { tried, broken, findings } = trial
  const notes = [...trial.untried]
  const result = broken > 0 ? 'failed' : tried > 0 ? 'held' : 'skipped'
  const reason = result === 'skipped' ? (notes[0] ?? 'nothing to try it on') : null
  const { name, protects } = rule
  return { report: { name, protects, result, reason, tried, broken, findings, notes }, isAnswered }
}

export function skippedRule({ name, protects }: Rule, reason: string): RuleReport {
  return { name, protects, result: 'skipped', reason, tried: 0, broken: 0, findings: [], notes: [] }
}

/** Why a rule cannot be tried. Null if it can. */
export function lacking({ needs }: Rule, { side, otherSide }: Ground, writes: boolean): string | null {
  const reasons: Record<Need, string | null> = {
    clinic: side ? null : 'the backend did not return the principal of the key',
    'second clinic': otherSide ? null : 'no key of a second clinic',
    writes: writes ? null : 'writing was not allowed',
  }
  return needs.map((need) => reasons[need]).find((reason) => reason !== null) ?? null
}
