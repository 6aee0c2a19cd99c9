// Prints the report for people: a line per rule, then the details that a vendor's engineer needs to mend each that failed.
import { safeText } from '@clinic-data/contract/safe-text'
import type { ConformanceReport } from './conformance.ts'
import { grouped } from './grouped.ts'
import type { RuleReport } from './rule-report.ts'

const MARKS = { held: '✓', failed: '✗', skipped: '–' } as const

/** The whole report as text, ending in a newline. */
export function reportText(report: ConformanceReport): string {
  const lines = [heading(report)]
  for (const [group, rules] of grouped(report.rules, ({ name }) => name.split('.', 1)[0] ?? '')) {
    lines.push('', group, ...rules.map(line))
  }
  const notes = report.rules.flatMap(({ name, notes: some }) => some.map((note) => ({ name, note })))
  if (notes.length > 0) lines.push('', 'Not tried, or worth knowing:')
  for (const [note, rules] of grouped(notes, (one) => one.note)) {
    lines.push(`  ${note} (${rules.map(({ name }) => name).join(', ')})`)
  }
  for (const rule of report.rules.filter(({ result }) => result === 'failed')) lines.push('', ...failure(rule))
  // Ids come from the backend: characters that would steer the terminal become spaces.
  return `${[...lines, '', summary(report)].map((text) => safeText(text)).join('\n')}\n`
}

function heading({ backend, clinic_id, other_clinic_id }: ConformanceReport): string {
  const clinics = [clinic_id, other_clinic_id].filter((id) => id !== null)
  const words = clinics.length === 0 ? '' : `, ${clinics.length === 1 ? 'clinic' : 'clinics'} ${clinics.join(' and ')}`
  return `The backend at ${backend}${words}`
}

function line({ name, result, reason, tried, broken }: RuleReport): string {
  const summary =
    result === 'held' ? `${tried} of ${tried}` : result === 'failed' ? `${tried - broken} of ${tried}` : (reason ?? '')
  return `  ${MARKS[result]} ${name.padEnd(NAME_WIDTH)} ${summary}`
}

const NAME_WIDTH = 24

function failure({ name, protects, broken, findings }: RuleReport): string[] {
  const more = broken - findings.length
  return [
    `✗ ${name}`,
    `  ${protects}`,
    ...findings.flatMap(({ operation, asked: question, expected, came }) => [
      '',
      `    operation  ${operation}`,
      `    asked      ${question}`,
      `    expected   ${expected}`,
      `    came       ${came}`,
    ]),
    ...(more > 0 ? ['', `    … and ${more} more like these`] : []),
  ]
}

function summary({ held, failed, skipped, calls, duration_ms }: ConformanceReport): string {
  const outcome = failed === 0 ? 'No rule failed' : `${failed} ${failed === 1 ? 'rule' : 'rules'} failed`
  return `${outcome}: ${held} held, ${skipped} skipped; ${calls} calls in ${(duration_ms / 1000).toFixed(1)} s.`
}
