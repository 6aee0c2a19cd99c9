// What a client can be made with: a key that fits into a header, an address that keeps it secret on its way.

/** @throws TypeError that quotes nothing of what was given. */
export function checkedApiKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a key: sk_live_… without blanks or line ends')
  }
  return apiKey
}

/**
 * The address without a slash at its end.
 *
 * @throws TypeError unless it is https, or http to this machine, with no credentials, query or fragment.
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
  return url.origin + url.pathname.replace(/\/+$/, '')
}
