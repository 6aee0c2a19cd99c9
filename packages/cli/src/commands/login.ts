// `sc login`: takes a key, checks it with the service, and only then stores it.
import { text } from 'node:stream/consumers'
import { readBaseAddress } from '../base-address.ts'
import type { CommandRun } from '../command-run.ts'
import { checkKey, clientOf } from '../connection.ts'
import { keyFile, readStoredKey, storeKey } from '../stored-key.ts'
import { UsageError } from '../usage-error.ts'

export async function run(given: CommandRun): Promise<void> {
  const { environment, mayRetry, signal, stderr } = given
  const isPiped = given.call.options['key-stdin'] !== undefined
  if (isPiped && given.stdin.isTTY)
    throw new UsageError('--key-stdin reads a pipe or a file', 'sc login asks for the key')
  if (!isPiped && !(given.stdin.isTTY && stderr.isTerminal)) {
    throw new UsageError('there is no terminal to ask for the key at', 'sc login --key-stdin < key.txt')
  }
  const baseUrl = await baseAddress(given, isPiped)
  const apiKey = isPiped ? (await text(given.stdin)).trim() : await askedKey(given)
  checkKey(apiKey, 'what was entered')
  const { body } = await clientOf({ apiKey, baseUrl }, { mayRetry }).request('me.get', { signal })
  await storeKey(environment, { base_url: baseUrl, api_key: apiKey })
  const { clinic_id, scopes } = body.data
  await stderr.write(
    `The key opens the clinic ${clinic_id} with ${scopes.length} scopes. Stored in ${keyFile(environment)}.\n`,
  )
  if (environment.apiKey !== null) await stderr.write('SC_API_KEY is set, and goes before it.\n')
}

async function baseAddress(given: CommandRun, isPiped: boolean): Promise<string> {
  const { environment } = given
  if (environment.baseUrl !== null) return readBaseAddress(environment.baseUrl, 'SC_BASE_URL')
  // One that cannot be read is about to be replaced.
  const stored = await readStoredKey(environment).catch(() => null)
  if (!isPiped) {
    const { ask } = await import('../prompt.ts')
    return readBaseAddress(
      await ask(given, 'Base address of the service', stored?.base_url ?? null),
      'the base address',
    )
  }
  if (stored === null) throw new UsageError('there is no base address', 'set SC_BASE_URL')
  return readBaseAddress(stored.base_url, 'the stored base address')
}

async function askedKey(given: CommandRun): Promise<string> {
  const { askSecret } = await import('../prompt.ts')
  return askSecret(given, 'Key (not shown)')
}
