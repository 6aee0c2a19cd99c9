// `sc login`: asks for a key, checks it with the service, and only then stores it.
import { text } from 'node:stream/consumers'
import { ConnectionError, UnauthorizedError, UnexpectedAnswerError } from '@clinic-data/client/errors'
import type { CommandRun } from '../command-run.ts'
import { readBaseAddress } from '../connection/base-address.ts'
import { type Connection, checkKey, clientOf } from '../connection/connection.ts'
import { NoKey } from '../connection/no-key.ts'
import { keyFile, readStoredKey, storeKey } from '../connection/stored-key.ts'
import { tell } from '../output/tell.ts'
import { UsageError } from '../usage-error.ts'

export async function run(context: CommandRun): Promise<void> {
  const { environment, mayRetry, signal, stderr } = context
  const isPiped = context.call.options['key-stdin'] !== undefined
  if (isPiped && context.stdin.isTTY)
    throw new UsageError('--key-stdin reads a pipe or a file', 'sc login asks for the key')
  if (!isPiped && !(context.stdin.isTTY && stderr.isTerminal)) {
    throw new UsageError('there is no terminal that could ask for the key', 'sc login --key-stdin < key.txt')
  }
  const check = async (connection: Connection) => {
    checkKey(connection.apiKey, 'what was entered')
    const { body } = await clientOf(connection, { mayRetry }).request('me.get', { signal })
    return { ...connection, me: body.data }
  }
  const { baseUrl, apiKey, me } = await (isPiped ? check(await piped(context)) : prompted(context, check))
  await storeKey(environment, { base_url: baseUrl, api_key: apiKey })
  const { clinic_id, scopes } = me
  const held = `${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}`
  await tell(stderr, `The key opens the clinic ${clinic_id} with ${held}. Stored in ${keyFile(environment)}.`)
  if (environment.apiKey !== null) await tell(stderr, 'SC_API_KEY is set, and is used instead of it.')
}

async function piped({ environment, stdin }: CommandRun): Promise<Connection> {
  const address = environment.baseUrl ?? (await storedAddress(environment))
  if (address === null) throw new UsageError('there is no base address', 'set SC_BASE_URL')
  const baseUrl = readBaseAddress(address, environment.baseUrl === null ? 'the stored base address' : 'SC_BASE_URL')
  return { baseUrl, apiKey: (await text(stdin)).trim() }
}

/** Asks until the service takes the key. A wrong key is asked again alone, a wrong address with its key. */
async function prompted<T>(context: CommandRun, check: (connection: Connection) => Promise<T>): Promise<T> {
  const { environment, stderr } = context
  const named = environment.baseUrl === null ? null : readBaseAddress(environment.baseUrl, 'SC_BASE_URL')
  const { Prompt } = await import('../prompt.ts')
  const prompt = new Prompt(context)
  let baseUrl = named
  let typed = named === null ? await storedAddress(environment) : null
  try {
    for (;;) {
      try {
        if (baseUrl === null) {
          typed = await prompt.ask('Base address of the service', typed)
          baseUrl = readBaseAddress(typed, 'the base address')
        }
        return await check({ baseUrl, apiKey: await prompt.askSecret('Key (not shown)') })
      } catch (error) {
        const isKey = error instanceof NoKey || error instanceof UnauthorizedError
        if (!isKey && (named !== null || !isOfAddress(error))) throw error
        if (!isKey) baseUrl = null
        await tell(stderr, `${(error as Error).message} Again, or Ctrl-C:`.replace(/([^.]) Again/, '$1. Again'))
      }
    }
  } finally {
    prompt.close()
  }
}

function isOfAddress(error: unknown): boolean {
  return error instanceof UsageError || error instanceof ConnectionError || error instanceof UnexpectedAnswerError
}

/** Null when the file cannot be read: login is about to replace it. */
async function storedAddress(environment: CommandRun['environment']): Promise<string | null> {
  return (await readStoredKey(environment).catch(() => null))?.base_url ?? null
}
