// Folders that are made once and found again by the next run, each by a name that says what it follows from.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Gives a folder its name, now that it is complete. Others may have been quicker, and others may still use earlier ones.
 * @param begun - lies beside it, and is gone afterwards.
 * @param most - of those beside it that are kept: the newest.
 */
export function keepFolder(begun: string, folder: string, most: number): void {
  try {
    renameSync(begun, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(begun, { recursive: true })
  }
  const beside = dirname(folder)
  const age = (name: string) => statSync(join(beside, name), { throwIfNoEntry: false })?.ctimeMs ?? 0
  const newestFirst = readdirSync(beside)
    .map((name) => ({ name, age: age(name) }))
    .toSorted((a, b) => b.age - a.age)
  for (const { name } of newestFirst.slice(most)) rmSync(join(beside, name), { recursive: true, force: true })
}
