// `sc logout`: ends the connection at the service, and deletes what is stored.
import type { CommandRun } from '../command-run.ts'
import { revoke } from '../connection/login-tokens.ts'
import { isLogin, keyFile, readStoredKey, removeStoredKey } from '../connection/stored-key.ts'
import { tell } from '../output/tell.ts'

export async function run({ environment, stderr, signal }: CommandRun): Promise<void> {
  // A file that cannot be read is removed all the same.
  const stored = await readStoredKey(environment).catch(() => null)
  if (stored !== null && isLogin(stored)) {
    try {
      await revoke(stored, signal)
      await tell(stderr, 'The connection has ended.')
    } catch (error) {
      if (signal.aborted) throw error
      await tell(stderr, `The connection could not be ended: ${(error as Error).message}.`)
      await tell(stderr, "It stays until somebody ends it in the clinic's console, under Connections.")
    }
  }
  const wasThere = await removeStoredKey(environment)
  await tell(stderr, wasThere ? `Removed ${keyFile(environment)}.` : 'No key was stored.')
  if (environment.apiKey !== null) await tell(stderr, 'SC_API_KEY is still set.')
}
