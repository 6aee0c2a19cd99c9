// Holds what the parts that show ingest tokens share.
import type { ConsoleToken } from '@clinic-data/console-parts/api'

export const TOKENS = ['ingest-tokens'] as const

/** The first and last characters, as the list shows a token. */
export const maskedToken = ({ first_characters, last_characters }: ConsoleToken) =>
  `${first_characters}…${last_characters}`
