// The secret of a request: a key that stays, or a token from a source that the service's refusals reach.
import { checkedApiKey, checkedToken } from './settings.ts'

export interface TokenRequest {
  /** The token that the service has just refused (401): answer another one. Null: the one that you have. */
  readonly refused: string | null
}

/**
 * Answers the access token of a connected clinic. It is called before each attempt, so keep the token and answer it until it is about
 * to end. After a 401 it is called once more for the same request, with the token that was refused.
 */
export type TokenSource = (request: TokenRequest) => string | Promise<string>

export interface Bearer {
  /** Whether another secret may help after a 401. */
  readonly isRenewable: boolean
  /** @throws what the source throws, or the reason of the signal */
  secret(refused: string | null, signal: AbortSignal | undefined): string | Promise<string>
}

/** @throws TypeError unless it is given one of both. */
export function bearerOf(apiKey: unknown, token: unknown): Bearer {
  if (token === undefined) {
    const key = checkedApiKey(apiKey)
    return { isRenewable: false, secret: () => key }
  }
  if (apiKey !== undefined) throw new TypeError('give apiKey or token, not both')
  if (typeof token !== 'function') throw new TypeError('token must be a function that answers an access token')
  const source = token as TokenSource
  return {
    isRenewable: true,
    secret: async (refused, signal) => checkedToken(await ended(async () => source({ refused }), signal)),
  }
}

/** Ends with the work or with the caller's signal, because a source has no signal of its own. */
function ended<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort)
    const settle = () => signal?.removeEventListener('abort', abort)
    work().then(resolve, reject).finally(settle)
  })
}
