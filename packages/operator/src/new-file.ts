// A new file that a command writes: it replaces no other, and the command says how large it is.
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/**
 * @param what - "a backup".
 * @throws UsageError before anything is written.
 */
export function requireNewFile(file: string, what: string): void {
  if (existsSync(file)) throw new UsageError(`${file} exists already: ${what} never replaces another file`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder} for ${what}: make it first`)
  if (!isWritable(folder))
    throw new UsageError(`${what} cannot be written into ${folder}: this account may not write there`)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @example megabytes(1_250_000) // '1.3 MB' */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
