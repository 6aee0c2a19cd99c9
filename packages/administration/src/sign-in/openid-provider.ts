// The identity provider of an install (OpenID Connect): where a browser is sent, and whom it brings back. The library that speaks the
// protocol is loaded for the first sign-in. Nothing of a token is logged.

import { OPENID_RETURN } from '@clinic-data/console-contract/openid-operations'
import type { Configuration, UserInfoResponse } from 'openid-client'

export interface OpenIdSettings {
  /** Https, except on this machine. */
  issuer: string
  clientId: string
  clientSecret: string
  /** People call the provider by this name. */
  name: string
  /** Besides it only an operator's link opens the console. */
  isRequired: boolean
  /** The claim that names a person's groups. Null: the provider is not asked for groups. */
  groupsClaim: string | null
  /** With `openid` among them. */
  scopes: string
}

/** The browser's cookie keeps this of a sign-in under way. */
export interface OpenIdAttempt {
  clinic_id: string
  /** The address that the browser comes back to. */
  origin: string
  state: string
  nonce: string
  verifier: string
  /** The session whose person confirms. Absent: a sign-in. */
  confirms?: ConfirmedSession
}

export interface ConfirmedSession {
  administrator_id: string
  token_hash: string
  /** Epoch milliseconds: when the provider was asked. */
  asked_at: number
}

export interface OpenIdPerson {
  /** The provider, and what it calls the account for ever. */
  issuer: string
  subject: string
  email: string
  isVerified: boolean
  /** When the provider last asked the person. Null: it does not say. */
  askedAt: Date | null
  /** The provider says of itself that it tells this. */
  tellsWhenAsked: boolean
  /** Null: the provider is not asked for groups. */
  groups: OpenIdGroups | null
}

export interface OpenIdGroups {
  names: readonly string[]
  /** By this token the provider is asked again. */
  token: GroupsToken
}

/** A refresh token, where the provider gives one. Otherwise an access token, which serves until it expires. */
export interface GroupsToken {
  kind: 'refresh' | 'access'
  text: string
}

/** The provider cannot be reached, or answers nonsense. */
class ProviderUnavailable extends Error {}

/** Statuses of a token that has expired or was taken back. */
const REFUSED_TOKEN: readonly (number | undefined)[] = [401, 403]

/** So long what the provider says of itself is used: addresses and keys change seldom. */
const KNOWN_MS = 60 * 60 * 1000
/** The provider's clock and ours differ by less. */
export const PROVIDER_SKEW_MS = 30_000
/** A person waits for each of these requests. */
const PATIENCE_SECONDS = 10

export class OpenIdProvider {
  readonly #settings: OpenIdSettings
  readonly #now: () => Date
  #known: { configuration: Promise<Configuration>; until: number } | null = null

  constructor(settings: OpenIdSettings, now: () => Date) {
    this.#settings = settings
    this.#now = now
  }

  get name(): string {
    return this.#settings.name
  }

  get isRequired(): boolean {
    return this.#settings.isRequired
  }

  get tellsGroups(): boolean {
    return this.#settings.groupsClaim !== null
  }

  /** @param confirms the provider is to ask the person anew. @throws ProviderUnavailable */
  async begin(
    clinic_id: string,
    origin: string,
    confirms?: ConfirmedSession,
  ): Promise<{ attempt: OpenIdAttempt; url: string }> {
    const client = await import('openid-client')
    const configuration = await this.#configuration()
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${origin}${OPENID_RETURN}`,
      scope: this.#settings.scopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...(confirms && { prompt: 'login', max_age: '0' }),
    })
    return { attempt: { clinic_id, origin, state, nonce, verifier, ...(confirms && { confirms }) }, url: url.href }
  }

  /**
   * Exchanges the code of a browser that came back. The provider's signature, its name, the audience, the time and the nonce are checked.
   *
   * @param search the query of the browser's request.
   * @returns null when the provider names no e-mail.
   * @throws Error for everything that does not fit the attempt.
   */
  async finish({ origin, state, nonce, verifier }: OpenIdAttempt, search: string): Promise<OpenIdPerson | null> {
    const client = await import('openid-client')
    const configuration = await this.#configuration()
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${origin}${OPENID_RETURN}${search}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) return null
    // Some providers tell the e-mail, or groups, only when asked.
    const { groupsClaim } = this.#settings
    const isWhole = claims.email !== undefined && (groupsClaim === null || claims[groupsClaim] !== undefined)
    const more: Partial<UserInfoResponse> =
      isWhole || !tellsAboutPeople(configuration)
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    // Both of one answer: whether an e-mail is verified says nothing of another one.
    const { email, email_verified } = claims.email === undefined ? more : claims
    // Some providers write it as a text.
    return typeof email !== 'string'
      ? null
      : {
          issuer: claims.iss,
          subject: claims.sub,
          email,
          isVerified: email_verified === true || email_verified === 'true',
          askedAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000),
          tellsWhenAsked: configuration.serverMetadata().claims_supported?.includes('auth_time') ?? false,
          groups:
            groupsClaim === null
              ? null
              : { names: namesIn(claims[groupsClaim] ?? more[groupsClaim]), token: tokenOf(tokens) },
        }
  }

  /**
   * Asks again which groups a person is in.
   *
   * @param subject the person.
   * @returns null when the provider takes the token no more: nobody knows then.
   * @throws ProviderUnavailable
   */
  async groupsOf(subject: string, token: GroupsToken): Promise<OpenIdGroups | null> {
    try {
      return await this.#groupsOf(subject, token)
    } catch (error) {
      const { status, error: code } = error as { status?: number; error?: unknown }
      if (code === 'invalid_grant' || REFUSED_TOKEN.includes(status)) return null
      throw new ProviderUnavailable('the provider did not tell the groups of a person', { cause: error })
    }
  }

  async #groupsOf(subject: string, token: GroupsToken): Promise<OpenIdGroups | null> {
    const client = await import('openid-client')
    const configuration = await this.#configuration()
    const claim = this.#settings.groupsClaim ?? ''
    const about = async (access_token: string) =>
      tellsAboutPeople(configuration) ? (await client.fetchUserInfo(configuration, access_token, subject))[claim] : []
    if (token.kind === 'access') return { names: namesIn(await about(token.text)), token }
    const tokens = await client.refreshTokenGrant(configuration, token.text)
    const claims = tokens.claims()
    if (claims !== undefined && claims.sub !== subject) return null
    const names = namesIn(claims?.[claim] ?? (await about(tokens.access_token)))
    return { names, token: tokens.refresh_token === undefined ? token : tokenOf(tokens) }
  }

  #configuration(): Promise<Configuration> {
    const at = this.#now().getTime()
    if (this.#known === null || this.#known.until <= at) {
      const configuration = this.#discover().catch((error: unknown) => {
        this.#known = null
        throw new ProviderUnavailable('the provider’s description could not be read', { cause: error })
      })
      this.#known = { configuration, until: at + KNOWN_MS }
    }
    return this.#known.configuration
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#settings
    const isPlain = new URL(issuer).protocol === 'http:'
    return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: PATIENCE_SECONDS,
      // Signatures are checked though the tokens come from the provider itself.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    })
  }
}

function tellsAboutPeople(configuration: Configuration): boolean {
  return configuration.serverMetadata().userinfo_endpoint !== undefined
}

function tokenOf({ refresh_token, access_token }: { refresh_token?: string; access_token: string }): GroupsToken {
  return refresh_token === undefined ? { kind: 'access', text: access_token } : { kind: 'refresh', text: refresh_token }
}

/** Whatever else the provider sends names no group. */
function namesIn(claim: unknown): string[] {
  return [claim].flat().filter((one) => typeof one === 'string')
}
