// `sc login`: asks for a key, checks it with the service, and only then stores it.
import { text } from 'node:stream/consumers'
import { readBaseAddress } from '../base-address.ts'
import type { CommandRun } from '../command-run.ts'
import { type Connection, checkKey, clientOf } from '../connection.ts'
import { keyFile, readStoredKey, storeKey } from '../stored-key.ts'
import { tell } from '../tell.ts'
import { UsageError } from '../usage-error.ts'

export async function run(given: CommandRun): Promise<void> {
  const { environment, mayRetry, signal, stderr } = given
  const isPiped = given.call.options['key-stdin'] !== undefined
  if (isPiped && given.stdin.isTTY)
    throw new UsageError('--key-stdin reads a pipe or a file', 'sc login asks for the key')
  if (!isPiped && !(given.stdin.isTTY && stderr.isTerminal)) {
    throw new UsageError('there is no terminal to ask for the key at', 'sc login --key-stdin < key.txt')
  }
  const { baseUrl, apiKey } = await (isPiped ? piped(given) : asked(given))
  checkKey(apiKey, 'what was entered')
  const { body } = await clientOf({ apiKey, baseUrl }, { mayRetry }).request('me.get', { signal })
  await storeKey(environment, { base_url: baseUrl, api_key: apiKey })
  const { clinic_id, scopes } = body.data
  const held = `${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}`
  await tell(stderr, `The key opens the clinic ${clinic_id} with ${held}. Stored in ${keyFile(environment)}.`)
  if (environment.apiKey !== null) await tell(stderr, 'SC_API_KEY is set, and goes before it.')
}

async function piped({ environment, stdin }: CommandRun): Promise<Connection> {
  const address = environment.baseUrl ?? (await storedAddress(environment))
  if (address === null) throw new UsageError('there is no base address', 'set SC_BASE_URL')
  const baseUrl = readBaseAddress(address, environment.baseUrl === null ? 'the stored base address' : 'SC_BASE_URL')
  return { baseUrl, apiKey: (await text(stdin)).trim() }
}

async function asked(given: CommandRun): Promise<Connection> {
  const { environment } = given
  const { Prompt } = await import('../prompt.ts')
  const prompt = new Prompt(given)
  try {
    const baseUrl =
      environment.baseUrl === null
        ? readBaseAddress(
            await prompt.ask('Base address of the service', await storedAddress(environment)),
            'the base address',
          )
        : readBaseAddress(environment.baseUrl, 'SC_BASE_URL')
    return { baseUrl, apiKey: await prompt.askSecret('Key (not shown)') }
  } finally {
    prompt.close()
  }
}

/** Null when the file cannot be read: login is about to replace it. */
async function storedAddress(environment: CommandRun['environment']): Promise<string | null> {
  return (await readStoredKey(environment).catch(() => null))?.base_url ?? null
}
