// Asks at the terminal where the service is, and for a key where it takes nothing else or the user wants it.
import { ConnectionError, UnauthorizedError, UnexpectedAnswerError } from '@clinic-data/client/errors'
import type { Environment } from '../config.ts'
import { readBaseAddress } from '../connection/base-address.ts'
import { NoKey } from '../connection/no-key.ts'
import { readStoredKey } from '../connection/stored-key.ts'
import { tell } from '../output/tell.ts'
import type { ProcessContext } from '../process-context.ts'
import { Prompt } from '../prompt.ts'
import { UsageError } from '../usage-error.ts'
import { type ServiceMetadata, serviceMetadata } from './service-metadata.ts'

/** A service at which a person signs in. */
export interface Found {
  readonly baseUrl: string
  readonly metadata: ServiceMetadata
}

export interface KeyPrompt<T> {
  /** Never sign in by a browser. */
  readonly wantsKey: boolean
  check(baseUrl: string, key: string): Promise<T>
}

/**
 * Asks until the service is found, and until it takes the key where it needs one. A wrong key is asked again alone, a wrong address with
 * its key.
 */
export async function prompted<T>(context: ProcessContext, { wantsKey, check }: KeyPrompt<T>): Promise<Found | T> {
  const { environment, stderr, signal } = context
  const named = environment.baseUrl === null ? null : readBaseAddress(environment.baseUrl, 'SC_BASE_URL')
  const prompt = new Prompt(context)
  let baseUrl = named
  let takesKey = wantsKey
  const stored = named === null ? await storedAddress(environment) : null
  let typed = stored
  try {
    for (;;) {
      try {
        if (baseUrl === null) {
          typed = await prompt.ask('Base address of the service', typed)
          baseUrl = readBaseAddress(typed, 'the base address')
        }
        if (!takesKey) {
          const metadata = await serviceMetadata(baseUrl, signal)
          if (metadata !== null) return { baseUrl, metadata }
          takesKey = true
          await tell(stderr, 'This service has no sign-in by browser. It takes a key.')
        }
        return await check(baseUrl, await prompt.askSecret('Key (not shown)'))
      } catch (error) {
        const isKey = error instanceof NoKey || error instanceof UnauthorizedError
        if (!isKey && (named !== null || !isOfAddress(error))) throw error
        if (!isKey) {
          baseUrl = null
          takesKey = wantsKey
          // A text that is no address would be refused again.
          if (error instanceof UsageError) typed = stored
        }
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
export async function storedAddress(environment: Environment): Promise<string | null> {
  return (await readStoredKey(environment).catch(() => null))?.base_url ?? null
}
