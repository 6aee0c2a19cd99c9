// `sc logout`: forgets the stored key.
import type { CommandRun } from '../command-run.ts'
import { keyFile, removeStoredKey } from '../stored-key.ts'

export async function run({ environment, stderr }: CommandRun): Promise<void> {
  const wasThere = await removeStoredKey(environment)
  await stderr.write(wasThere ? `Removed ${keyFile(environment)}.\n` : 'No key was stored.\n')
  if (environment.apiKey !== null) await stderr.write('SC_API_KEY is still set.\n')
}
