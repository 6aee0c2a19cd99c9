// `sc logout`: deletes the stored key.
import type { CommandRun } from '../command-run.ts'
import { keyFile, removeStoredKey } from '../connection/stored-key.ts'
import { tell } from '../output/tell.ts'

export async function run({ environment, stderr }: CommandRun): Promise<void> {
  const wasThere = await removeStoredKey(environment)
  await tell(stderr, wasThere ? `Removed ${keyFile(environment)}.` : 'No key was stored.')
  if (environment.apiKey !== null) await tell(stderr, 'SC_API_KEY is still set.')
}
