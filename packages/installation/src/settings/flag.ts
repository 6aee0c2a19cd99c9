// Reads a setting that is on or off.
import { ConfigError } from './config-error.ts'

/** @throws ConfigError */
export function flagOf(name: string, text: string): boolean {
  if (text !== '0' && text !== '1') throw new ConfigError(`${name} must be 1 or 0`)
  return text === '1'
}
