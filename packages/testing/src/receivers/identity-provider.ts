// A small identity provider for the tests (OpenID Connect): it signs with ES256, and can lie where a test asks it to.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const json64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const KEY_ID = 'test-key'
const REFUSED: [status: number, body: object] = [400, { error: 'invalid_grant' }]

/** A person of the provider, and what a test may replace in the token. */
export interface Consent {
  claims: Record<string, unknown>
  /** Signs by a key that the provider does not publish. */
  isForged?: boolean
  /** Tells the e-mail only at the userinfo endpoint. */
  isSilent?: boolean
  /** The userinfo endpoint tells these in place of the token's. */
  whenAsked?: Record<string, unknown>
}

interface Grant extends Consent {
  nonce: string
  challenge: string
  redirect_uri: string
}

export class IdentityProvider {
  readonly clientId = 'console'
  readonly clientSecret = randomBytes(16).toString('base64url')
  readonly #keys = newKeys()
  readonly #strangers = newKeys()
  readonly #grants = new Map<string, Grant>()
  readonly #refreshes = new Map<string, Grant>()
  readonly #claims = new Map<string, { sub: string }>()
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error) => response.destroy(error))
  })
  issuer = ''
  /** Says of itself that it tells when it asked a person. */
  tellsWhenAsked = false
  /** The groups of its people by their subject. Null: it tells no groups. */
  groups: Map<string, readonly string[]> | null = null
  /** Whoever signs in gets a refresh token, which serves once. */
  givesRefreshTokens = true
  /** Tells groups only at the userinfo endpoint. */
  tellsGroupsWhenAsked = false
  /** Whom it answers about when it is asked again. Null: whom it is asked about. */
  answersAbout: string | null = null
  /** Every request but for its description fails. */
  isDown = false
  /** How often it was asked for groups, by a refresh token or at the userinfo endpoint. */
  asked = 0
  /** Who is signed in at its page, where one link leads back. */
  person: Consent | null = null
  /** Every secret that it handed out, for the tests that look for them in logs. */
  readonly secrets: string[] = [this.clientSecret]

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider()
    provider.#server.listen(0, '127.0.0.1')
    await once(provider.#server, 'listening')
    provider.issuer = `http://127.0.0.1:${(provider.#server.address() as AddressInfo).port}`
    return provider
  }

  get settings() {
    const { issuer, clientId, clientSecret } = this
    const usual = { isRequired: false, groupsClaim: null, scopes: 'openid email' }
    return { issuer, clientId, clientSecret, name: 'Clinic SSO', ...usual }
  }

  /** As if the person had signed in at the address. @returns the query with which the browser comes back. */
  consent(address: string, consent: Consent): string {
    const { searchParams } = new URL(address)
    const parameter = (name: string) => searchParams.get(name) ?? ''
    if (parameter('code_challenge_method') !== 'S256' || parameter('client_id') !== this.clientId)
      throw new Error('wrongly asked')
    const code = randomBytes(16).toString('base64url')
    const [nonce, challenge, redirect_uri] = [
      parameter('nonce'),
      parameter('code_challenge'),
      parameter('redirect_uri'),
    ]
    this.#grants.set(code, { ...consent, nonce, challenge, redirect_uri })
    this.secrets.push(code)
    return `?${new URLSearchParams({ code, state: parameter('state'), iss: this.issuer })}`
  }

  /** Takes every token of a person back. */
  endTokensOf(sub: string): void {
    for (const [token, grant] of this.#refreshes) if (grant.claims.sub === sub) this.#refreshes.delete(token)
    for (const [token, claims] of this.#claims) if (claims.sub === sub) this.#claims.delete(token)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, href } = new URL(request.url ?? '', this.issuer)
    if (path === '/authorize' && this.person) {
      const back = `${new URL(href).searchParams.get('redirect_uri')}${this.consent(href, this.person)}`
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<!doctype html><title>Provider</title><a id="back" href="${back.replaceAll('&', '&amp;')}">Go on</a>`,
      )
      return
    }
    const [status, body] = await this.#answerTo(path, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  async #answerTo(path: string, request: IncomingMessage): Promise<[status: number, body: object]> {
    if (path === '/.well-known/openid-configuration') return [200, this.#description()]
    if (this.isDown) return [503, {}]
    if (path === '/jwks') {
      const key = this.#keys.publicKey.export({ format: 'jwk' })
      return [200, { keys: [{ ...key, kid: KEY_ID, use: 'sig', alg: 'ES256' }] }]
    }
    if (path === '/userinfo') {
      this.asked++
      const claims = this.#claims.get((request.headers.authorization ?? '').slice('Bearer '.length))
      return claims === undefined ? [401, {}] : [200, { ...claims, ...this.#groupsOf(claims.sub) }]
    }
    if (path !== '/token') return [404, {}]
    const form = new URLSearchParams(await text(request))
    return form.get('grant_type') === 'refresh_token' ? this.#refresh(form) : this.#exchange(form)
  }

  #description() {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      claims_supported: ['sub', 'email', ...(this.tellsWhenAsked ? ['auth_time'] : [])],
    }
  }

  /** A code is exchanged once, by whom it was made for. */
  #exchange(form: URLSearchParams): [status: number, body: object] {
    const code = form.get('code') ?? ''
    const grant = this.#grants.get(code)
    this.#grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      grant !== undefined && challenge === grant.challenge && form.get('redirect_uri') === grant.redirect_uri
    return isRight ? this.#handOut(grant, form) : REFUSED
  }

  #refresh(form: URLSearchParams): [status: number, body: object] {
    this.asked++
    const token = form.get('refresh_token') ?? ''
    const grant = this.#refreshes.get(token)
    this.#refreshes.delete(token)
    if (grant === undefined) return REFUSED
    const { answersAbout: sub } = this
    return this.#handOut(sub === null ? grant : { ...grant, claims: { ...grant.claims, sub } }, form)
  }

  #handOut(grant: Grant, form: URLSearchParams): [status: number, body: object] {
    if (form.get('client_secret') !== this.clientSecret) return REFUSED
    const access_token = randomBytes(16).toString('base64url')
    const id_token = this.#token(grant)
    this.secrets.push(access_token, id_token)
    this.#claims.set(access_token, { sub: 'person', ...grant.claims, ...grant.whenAsked })
    const answer = { access_token, id_token, token_type: 'Bearer', expires_in: 60 }
    if (!this.givesRefreshTokens) return [200, answer]
    const refresh_token = randomBytes(16).toString('base64url')
    this.secrets.push(refresh_token)
    this.#refreshes.set(refresh_token, grant)
    return [200, { ...answer, refresh_token }]
  }

  #groupsOf(sub: unknown): object {
    return this.groups === null ? {} : { groups: this.groups.get(String(sub)) ?? [] }
  }

  #token({ nonce, claims, isForged = false, isSilent = false }: Grant): string {
    const now = Math.floor(Date.now() / 1000)
    const groups = this.tellsGroupsWhenAsked ? {} : this.#groupsOf(claims.sub ?? 'person')
    const own = { iss: this.issuer, aud: this.clientId, sub: 'person', iat: now, exp: now + 60, nonce, ...groups }
    const content = `${json64({ alg: 'ES256', kid: KEY_ID })}.${json64({ ...own, ...(isSilent ? {} : claims) })}`
    const key = (isForged ? this.#strangers : this.#keys).privateKey
    const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
    return `${content}.${signature.toString('base64url')}`
  }
}
