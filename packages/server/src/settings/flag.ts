// Reads a setting that is on or off.
import { ConfigError } from './config-error.ts'

/** Off when it is not set. @throws ConfigError */
export function flagOf(name: string, text: string | null): boolean {
  if (text !== null && text !== '0' && text !== '1') throw new ConfigError(`${name} must be 1 or 0`)
  return text === '1'
}
