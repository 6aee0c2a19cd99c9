// Checks the settings of a client and a call: a key that fits into a header, an address that keeps it secret in transit, whole
// numbers.

/** @throws TypeError that does not quote the value. */
export function checkedApiKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a key: sk_live_… without blanks or line ends')
  }
  return apiKey
}

/** @throws TypeError that does not quote the value. */
export function checkedToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('token must answer an access token, without blanks or line ends')
}

/**
 * Returns the address without a slash at its end.
 *
 * @throws TypeError unless it is https, or http to this machine, with no credentials, query or fragment, and without `/v1`.
 */
export function checkedBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null) throw new TypeError('baseUrl must be an address: https://…')
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must hold no credentials, query or fragment')
  }
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new TypeError('baseUrl must be https, or http to this machine: the key goes with every request')
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/v1')) throw new TypeError('baseUrl: leave out /v1, which the client adds')
  return url.origin + path
}

/** The longest delay of a timer, 24 days. A timer treats a longer one as none. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Shortens a longer time to what a timer takes. @throws TypeError unless it is a time */
export function checkedTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be a number of milliseconds above 0')
  return Math.min(timeoutMs, MAX_TIMEOUT_MS)
}

/** @throws TypeError unless it is 0, 1, 2 … */
export function checkedMaxRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries
  throw new TypeError('maxRetries must be a whole number, 0 for none')
}

/** @throws TypeError unless it fits into the header. */
export function checkedIdempotencyKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters')
}
