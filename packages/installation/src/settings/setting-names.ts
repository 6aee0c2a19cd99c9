// Finds the values of settings: in the environment, a secret's also in the file that the environment names, and else their defaults.
import { readFileSync } from 'node:fs'
import { isOneSlip } from '@clinic-data/contract/one-slip'
import { ConfigError } from './config-error.ts'
import { type Defaulted, definitions, type Setting } from './definitions.ts'

export type { Setting }
/** Null for one that is not set and has no default. An empty value counts as unset. */
export type Settings = <Name extends Setting>(name: Name) => Name extends Defaulted ? string : string | null

export const settingNames = [...definitions.keys()].sort()
export const secretSettings = settingNames.filter((name) => definitions.get(name)?.isSecret)

const IN_FILE = '_FILE'
/** The longest value is a list of keys: some hundred bytes each. */
const LONGEST_FILE = 64 * 1024
/** Among shorter names (`HOST`, `PORT`) others differ by a letter and mean something else. */
const SHORTEST_COMPARED = 6

/** @throws ConfigError with every name that is misspelt, every value that stands twice and every file that cannot be read. */
export function settingsIn(environment: NodeJS.ProcessEnv): Settings {
  const named = new Map<string, string>()
  for (const [name, text] of Object.entries(environment)) {
    const value = text?.trim() ?? ''
    if (value !== '') named.set(name, value)
  }
  const faults = misspelt(new Set(named.keys()))
  const values = new Map<Setting, string>()
  for (const name of settingNames) {
    const value = named.get(name)
    if (value !== undefined) values.set(name, value)
  }
  for (const name of secretSettings) {
    const path = named.get(name + IN_FILE)
    if (path === undefined) continue
    if (values.has(name)) faults.push(`${name} and ${name}${IN_FILE} are both set: keep one of them`)
    else {
      const found = valueIn(path)
      if ('fault' in found) faults.push(`${name}${IN_FILE} names ${path}, ${found.fault}`)
      else values.set(name, found.value)
    }
  }
  if (faults.length > 0) throw new ConfigError(faults.join('; '))
  return ((name: Setting) => values.get(name) ?? definitions.get(name)?.default ?? null) as Settings
}

function valueIn(path: string): { value: string } | { fault: string } {
  let value: string
  try {
    value = readFileSync(path, 'utf8').trim()
  } catch (error) {
    return { fault: `which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
  if (value === '') return { fault: 'which is empty' }
  if (value.length > LONGEST_FILE) return { fault: `which is longer than ${LONGEST_FILE} characters` }
  return { value }
}

/**
 * A setting that is missing because its name was misspelt would be ignored: `DATABSE_URL` would open an empty database. So a name that is
 * one slip away from a setting that is not set is refused. Beside the right name it may well be another program's.
 */
function misspelt(named: ReadonlySet<string>): string[] {
  const all = [...settingNames, ...secretSettings.map((name) => name + IN_FILE)]
  const known = new Set(all)
  const missing = all.filter((name) => !named.has(name) && name.length >= SHORTEST_COMPARED)
  return [...named].sort().flatMap((name) => {
    const meant = known.has(name) ? undefined : missing.find((setting) => isNear(name, setting))
    return meant === undefined ? [] : [`there is no setting ${name}; write ${meant}, or remove it`]
  })
}

/** Two names may differ by their underscores too. */
export function isNear(written: string, meant: string): boolean {
  const [a, b] = [written, meant].map((name) => name.replaceAll('_', '')) as [string, string]
  return isOneSlip(a, b)
}
