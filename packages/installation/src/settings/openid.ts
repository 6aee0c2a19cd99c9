// Reads the settings of the identity provider by which administrators sign in to the console: all of them, or none.
import type { OpenIdSettings } from '@clinic-data/administration/sign-in/openid-provider'
import { isLoopback } from './addresses.ts'
import { ConfigError } from './config-error.ts'
import { flagOf } from './flag.ts'
import type { Settings } from './setting-names.ts'

const NAMES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const
const LONGEST_NAME = 60
const LONGEST_CLAIM = 200
/** As OAuth writes them (RFC 6749, 3.3). */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/

/** @throws ConfigError */
export function openIdOf(value: Settings): OpenIdSettings | null {
  const [issuer = null, clientId = null, clientSecret = null, name = null] = NAMES.map(value)
  const isRequired = flagOf('OIDC_REQUIRED', value('OIDC_REQUIRED'))
  const groupsClaim = value('OIDC_GROUPS') ?? null
  const scopes = scopesOf(value('OIDC_SCOPES') ?? '')
  if (issuer === null && clientId === null && clientSecret === null && name === null) {
    const needing = Object.entries({ OIDC_REQUIRED: isRequired, OIDC_GROUPS: groupsClaim !== null })
    const [alone] = needing.find(([, set]) => set) ?? []
    if (alone) throw new ConfigError(`${alone} needs an identity provider: set ${NAMES.join(', ')}`)
    return null
  }
  if (issuer === null || clientId === null || clientSecret === null || name === null) {
    throw new ConfigError(
      `${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)} belong together: set all of them, or none`,
    )
  }
  if (name.length > LONGEST_NAME) throw new ConfigError(`OIDC_NAME must have at most ${LONGEST_NAME} characters`)
  if (groupsClaim !== null && groupsClaim.length > LONGEST_CLAIM)
    throw new ConfigError(`OIDC_GROUPS must have at most ${LONGEST_CLAIM} characters`)
  return {
    issuer: issuerOf(issuer),
    clientId,
    clientSecret,
    name,
    isRequired,
    groupsClaim,
    scopes,
  }
}

function scopesOf(text: string): string {
  if (!SCOPES.test(text) || !text.split(' ').includes('openid'))
    throw new ConfigError('OIDC_SCOPES must be scopes with one space between two, and openid among them')
  return text
}

function issuerOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHere = isLoopback(url?.hostname ?? '')
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') throw new ConfigError(WRONG)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) throw new ConfigError(WRONG)
  return text
}

const WRONG = 'OIDC_ISSUER must be the https address of the identity provider, for example https://login.example.com'
