// Counts what was run and what was not, and tells each failure.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import type { Outcome } from './reader.ts'
import type { Sample } from './sample-texts.ts'
import { OPTIONAL_PROGRAMS, skipped } from './skipped-samples.ts'

const counted = new Map<string, number>()
const left: string[] = []
export const usedSkips = new Set<(typeof skipped)[number]>()

export function count(language: string): void {
  counted.set(language, (counted.get(language) ?? 0) + 1)
}

/** Counts a sample as not run. */
export function leave(line: string): void {
  left.push(line)
}

/** Prints what was run, and what was not and why. */
export function tell(): void {
  const run = [...counted].map(([language, count]) => `${count} ${language}`).join(', ')
  console.log(`Samples run: ${run}. Not run: ${left.length}${left.map((line) => `\n  ${line}`).join('')}`)
}

/** Runs all samples, and tells of every one that fails. */
export async function each<S extends Sample>(
  samples: readonly S[],
  run: (sample: S, position: number) => Promise<void> | void,
): Promise<void> {
  const faults: string[] = []
  for (const [position, sample] of samples.entries()) {
    try {
      await run(sample, position)
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
    }
  }
  assert.equal(faults.length, 0, faults.join('\n\n'))
}

export function requireSuccess({ place, source }: Sample, { code, stdout, stderr }: Outcome): void {
  assert.equal(code, 0, `${place} ended with ${code}:\n${source}\n${stdout.slice(-2_000)}\n${stderr.slice(-2_000)}`)
  assert.doesNotMatch(stderr, /command not found|Warning:/, `${place}\n${source}`)
}

export function isSkipped({ place }: Sample, command: string): boolean {
  const entry = skipped.find((one) => one.place === place && command.startsWith(one.begins))
  const missing = OPTIONAL_PROGRAMS.find((name) => new RegExp(`\\b${name}\\b`).test(command) && !isInstalled(name))
  const reason = entry?.reason ?? (missing && `${missing} is not installed`)
  if (entry) usedSkips.add(entry)
  if (reason !== undefined) left.push(`${place}, ${command.split('\n')[0]}: ${reason}`)
  return reason !== undefined
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}
