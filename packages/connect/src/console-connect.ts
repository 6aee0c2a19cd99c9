// The parts that the console needs to ask its administrators for their yes or no.
import type { Database } from '@clinic-data/database'
import type { Apps } from './apps/apps.ts'
import { WrongGuesses } from './consent/wrong-guesses.ts'

export interface ConsoleConnect {
  readonly apps: Pick<Apps, 'find'>
  /** The issuer. */
  readonly baseUrl: string
  /** The requests of devices belong to no clinic yet. */
  readonly database: Pick<Database, 'query'>
  readonly guesses: WrongGuesses
}

export function consoleConnect(parts: Omit<ConsoleConnect, 'guesses'>): ConsoleConnect {
  return { ...parts, guesses: new WrongGuesses() }
}
