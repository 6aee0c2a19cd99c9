// `sc login`: a person signs in by a browser, or a key is checked with the service. Only then something is stored.
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { allScopes } from '@clinic-data/contract/scopes'
import type { CommandRun } from '../command-run.ts'
import type { Environment } from '../config.ts'
import { readBaseAddress } from '../connection/base-address.ts'
import { checkKey, clientOf, connectionTo } from '../connection/connection.ts'
import { revoke } from '../connection/login-tokens.ts'
import { isLogin, keyFile, readStoredKey, type Stored, type StoredLogin, storeKey } from '../connection/stored-key.ts'
import { wait as byTimer } from '../output/reported-pause.ts'
import { tell } from '../output/tell.ts'
import { browserSignIn } from '../sign-in/browser-sign-in.ts'
import { deviceSignIn } from '../sign-in/device-sign-in.ts'
import { type Found, prompted, storedAddress } from '../sign-in/key-prompt.ts'
import { serviceMetadata } from '../sign-in/service-metadata.ts'
import { UsageError } from '../usage-error.ts'

const READS = 'reads'
const SEED_BYTES = 32

export async function run(context: CommandRun): Promise<void> {
  const { environment, stderr } = context
  const { options } = context.call
  const scope = scopeOf(options.scopes)
  const file = keyFile(environment)
  const isPiped = options['key-stdin'] !== undefined
  const wantsKey = options.key !== undefined
  const isTerminal = context.stdin.isTTY && stderr.isTerminal
  checkOptions({ isPiped, wantsKey, isDevice: options.device !== undefined, hasScopes: scope !== null })
  if (isPiped && context.stdin.isTTY)
    throw new UsageError('--key-stdin reads a pipe or a file', 'sc login asks for the key')
  if (!isPiped && !isTerminal && options.device === undefined) {
    throw new UsageError(
      'there is no terminal that could ask for the key',
      'sc login --key-stdin < key.txt, or sc login --device where somebody reads the code',
    )
  }
  const check = async (baseUrl: string, key: string): Promise<Stored> => {
    checkKey(key, 'what was entered')
    const stored = { base_url: baseUrl, api_key: key }
    await meOf(context, stored)
    return stored
  }
  const outcome = isPiped
    ? await check(await knownAddress(environment), (await text(context.stdin)).trim())
    : isTerminal
      ? await prompted(context, { wantsKey, check })
      : await found(context)
  const former = await readStoredKey(environment).catch(() => null)
  const stored = 'metadata' in outcome ? await signedIn(context, outcome, scope) : outcome
  await storeKey(environment, stored)
  if (former !== null && isLogin(former)) await revoke(former, context.signal).catch(() => undefined)
  const { clinic_id, scopes } = await meOf(context, stored)
  const held = `${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}`
  const what = isLogin(stored) ? 'The connection' : 'The key'
  await tell(stderr, `${what} opens the clinic ${clinic_id} with ${held}. Stored in ${file}.`)
  if (environment.apiKey !== null) await tell(stderr, 'SC_API_KEY is set, and is used instead of it.')
}

interface Chosen {
  readonly isPiped: boolean
  readonly wantsKey: boolean
  readonly isDevice: boolean
  readonly hasScopes: boolean
}

function checkOptions({ isPiped, wantsKey, isDevice, hasScopes }: Chosen): void {
  if (isPiped && wantsKey) throw new UsageError('--key asks at the terminal, and --key-stdin reads a pipe: give one')
  if ((isPiped || wantsKey) && (isDevice || hasScopes))
    throw new UsageError('--device and --scopes are for a sign-in by browser', 'a key has the scopes it was made with')
}

/** The scopes as the service reads them. @throws UsageError */
function scopeOf(words: readonly string[] | undefined): string | null {
  if (words === undefined) return null
  const names = words.flatMap((word) => word.split(',')).map((name) => name.trim())
  const unknown = names.filter((name) => name !== READS && !(allScopes as readonly string[]).includes(name))
  if (unknown.length === 0) return names.join(' ')
  throw new UsageError(`--scopes takes ${READS} and these, separated by commas: ${allScopes.join(', ')}`)
}

async function knownAddress(environment: Environment): Promise<string> {
  const address = environment.baseUrl ?? (await storedAddress(environment))
  if (address === null) throw new UsageError('there is no base address', 'set SC_BASE_URL')
  return readBaseAddress(address, environment.baseUrl === null ? 'the stored base address' : 'SC_BASE_URL')
}

/** Without a terminal. */
async function found({ environment, signal }: CommandRun): Promise<Found> {
  const baseUrl = await knownAddress(environment)
  const metadata = await serviceMetadata(baseUrl, signal)
  if (metadata !== null) return { baseUrl, metadata }
  throw new UsageError('this service has no sign-in by browser', 'sc login --key-stdin < key.txt')
}

async function signedIn(context: CommandRun, { baseUrl, metadata }: Found, scope: string | null): Promise<StoredLogin> {
  const { call, environment, signal, stderr, wait = byTimer } = context
  const signIn = { metadata, baseUrl, scope, environment, stderr, signal, wait }
  const here = call.options.device === undefined && environment.canOpenBrowser
  const tokens = (here ? await browserSignIn(signIn) : null) ?? (await deviceSignIn(signIn))
  const { token_endpoint, revocation_endpoint } = metadata
  const seed = randomBytes(SEED_BYTES).toString('base64url')
  return { base_url: baseUrl, ...tokens, token_endpoint, revocation_endpoint, seed }
}

async function meOf({ environment, mayRetry, signal }: CommandRun, stored: Stored) {
  const client = clientOf(connectionTo(environment, stored), { mayRetry })
  return (await client.request('me.get', { signal })).body.data
}
