// Checks the addresses to which the access token is sent. Anyone who has the token can send in the clinic's name.

export interface ApiAddress {
  protocol: string
  origin: string
  /** Ends with the version, without a slash. */
  href: string
}

/** The platform's domains. Its documentation mentions `lookaside.fbsbx.com` but does not promise any host. */
const MEDIA_HOST = /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/

/**
 * Checks and splits the API's address: https, or http to this machine.
 *
 * @throws TypeError when it has another form.
 */
export function apiAddress(baseUrl: string, version: string): ApiAddress {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isOwn = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isOwn))) {
    throw new TypeError('the base address of WhatsApp must be an https address')
  }
  if (!/^v\d{1,3}\.\d$/.test(version)) throw new TypeError('the version of the Graph API must be written as v25.0')
  const path = url.pathname.replace(/\/+$/, '')
  return { protocol: url.protocol, origin: url.origin, href: `${url.origin}${path}/${version}` }
}

/**
 * Checks a media address that the API returned. It must be at the API itself, or over TLS at one of the platform's media hosts.
 *
 * @throws Error for every other one.
 */
export function mediaAddress(named: unknown, api: ApiAddress): URL {
  const url = typeof named === 'string' && URL.canParse(named) ? new URL(named) : null
  const isAllowed =
    url !== null &&
    (url.origin === api.origin || (url.protocol === 'https:' && api.protocol === 'https:' && MEDIA_HOST.test(url.host)))
  if (!isAllowed) throw new Error('the platform named an address for media that is not its own')
  return url
}
