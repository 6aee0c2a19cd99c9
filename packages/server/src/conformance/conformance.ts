// The conformance kit: the rules of the port, held one after the other against a backend.
//
//   const report = await runConformance({ url, token, key, otherKey, writes: false })
//   report.rules.filter(({ result }) => result === 'failed')
import { type Operation, servedOperations } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { portForms, portPaths } from '@clinic-data/contract/port'
import { ClinicUnderTest } from './clinic-under-test.ts'
import { NoAnswer, PortCaller } from './port-caller.ts'
import { type Finding, type Ground, type Need, type Rule, type Side, Trial } from './rule.ts'
import { isTimeZone } from './rules/key-rules.ts'
import { parsed } from './rules/port-rules.ts'
import { rules } from './rules.ts'
import { Subjects } from './subjects.ts'

export interface ConformanceOptions {
  /** Where the port is; its paths are appended. */
  url: string
  token: string
  /** An API key of a clinic of test data. */
  key: string
  /** One of a second clinic, for the rules of isolation. */
  otherKey?: string | undefined
  /** Whether the rules that write may run. */
  writes: boolean
  /** The contract's, unless a test says otherwise. */
  operations?: readonly Operation[]
  now?: () => Date
  onRule?: (name: string, number: number, of: number) => void
}

export interface RuleReport {
  name: string
  protects: string
  result: 'held' | 'failed' | 'skipped'
  /** Why it was skipped. */
  reason: string | null
  /** Questions that could have shown a fault. */
  tried: number
  /** How many of them did. */
  broken: number
  findings: readonly Finding[]
  /** What could not be tried, and why. */
  untried: readonly string[]
}

export interface ConformanceReport {
  backend: string
  /** Null where the backend does not say whose the key is. */
  clinic_id: string | null
  other_clinic_id: string | null
  held: number
  failed: number
  skipped: number
  calls: number
  duration_ms: number
  rules: readonly RuleReport[]
}

/** What the kit was given cannot be used: no backend there, another token, a key that nobody knows. */
export class Unusable extends Error {}

/** A rule that takes longer is not finished: the backend is too slow to be held against it. */
const RULE_MS = 60_000
/** Rules in a row that end for want of an answer: the backend is gone. */
const GONE_AFTER = 3

/** @throws Unusable */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const startedAt = performance.now()
  const port = new PortCaller(options.url, options.token)
  await requireReachable(port)
  const ground = await prepare(port, options)
  const reports: RuleReport[] = []
  let unanswered = 0
  for (const [i, rule] of rules.entries()) {
    options.onRule?.(rule.name, i + 1, rules.length)
    const reason = unanswered >= GONE_AFTER ? 'the backend no longer answers' : lacking(rule, ground, options.writes)
    const { report, isAnswered } =
      reason === null ? await tryRule(rule, ground) : { report: skipped(rule, reason), isAnswered: true }
    unanswered = isAnswered ? (reason === null ? 0 : unanswered) : unanswered + 1
    reports.push(report)
  }
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

/** @throws Unusable when nobody answers there, or only to another token. */
async function requireReachable(port: PortCaller): Promise<void> {
  const reply = await port.call(portPaths.ready, { method: 'GET' }).catch((error: unknown) => {
    if (error instanceof NoAnswer) throw new Unusable(`the backend cannot be reached: ${error.message}`)
    throw error
  })
  if (reply.status === 401) throw new Unusable('the backend refuses the token')
}

async function prepare(port: PortCaller, options: ConformanceOptions): Promise<Ground> {
  const { operations = servedOperations, now = () => new Date(), key, otherKey } = options
  const sideOf = async (of: string, which: string): Promise<Side | null> => {
    const reply = await port.call(portPaths.authenticate, { body: { key_hash: hashKey(of) } }).catch(() => null)
    const body = reply && parsed(reply)
    if (reply?.status !== 200 || !portForms.authenticateAnswer.accepts(body)) return null
    if (body.principal === null)
      throw new Unusable(`the backend knows no valid key like ${which}: it answers that there is no principal`)
    // Told by the rule of the principal: nothing else could be asked.
    if (!isTimeZone(body.principal.clinic.time_zone)) return null
    const clinic = new ClinicUnderTest(port, body.principal)
    return { clinic, subjects: new Subjects(clinic, operations, now) }
  }
  const side = await sideOf(key, 'the one given')
  const otherSide = otherKey === undefined ? null : await sideOf(otherKey, 'the other one given')
  if (side && otherSide && side.clinic.clinic.clinic_id === otherSide.clinic.clinic.clinic_id) {
    throw new Unusable('both keys belong to the same clinic: the other one must be of a second clinic')
  }
  return { port, operations, keyHash: hashKey(key), side, otherSide, now }
}

/** Why a rule cannot be tried; null when it can. */
function lacking({ needs }: Rule, { side, otherSide }: Ground, writes: boolean): string | null {
  const reasons: Record<Need, string | null> = {
    clinic: side ? null : 'the backend does not say whose the key is',
    'second clinic': otherSide ? null : 'no key of a second clinic',
    writes: writes ? null : 'writing was not allowed',
  }
  return needs.map((need) => reasons[need]).find((reason) => reason !== null) ?? null
}

async function tryRule(rule: Rule, ground: Ground): Promise<{ report: RuleReport; isAnswered: boolean }> {
  const trial = new Trial(ground)
  let isAnswered = true
  ground.port.until = performance.now() + RULE_MS
  try {
    await rule.check(trial)
  } catch (error) {
    isAnswered = !(error instanceof NoAnswer)
    trial.hold(false, () => ({
      operation: 'the port',
      asked: 'the next question of this rule',
      expected: 'an answer that can be held against it',
      // Another error's text could quote what came.
      came:
        error instanceof NoAnswer
          ? error.message
          : `one that cannot (${error instanceof Error ? error.name : 'an error'})`,
    }))
  } finally {
    ground.port.until = Number.POSITIVE_INFINITY
  }
  const { tried, broken, findings, untried } = trial
  const result = broken > 0 ? 'failed' : tried > 0 ? 'held' : 'skipped'
  const reason = result === 'skipped' ? ([...untried][0] ?? 'nothing to try it on') : null
  return { report: { ...told(rule), result, reason, tried, broken, findings, untried: [...untried] }, isAnswered }
}

function skipped(rule: Rule, reason: string): RuleReport {
  return { ...told(rule), result: 'skipped', reason, tried: 0, broken: 0, findings: [], untried: [] }
}

function told({ name, protects }: Rule): Pick<RuleReport, 'name' | 'protects'> {
  return { name, protects }
}
