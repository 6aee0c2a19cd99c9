// A strict OAuth client of others, oauth4webapi, accepts every document and answer of the authorization server.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import type { ConnectSite, Person } from './connect-site.ts'

const REDIRECT = 'https://crm.example/callback'
/** The service of the tests has no certificate. */
const insecure = { [oauth.allowInsecureRequests]: true }

interface App {
  readonly client: oauth.Client
  readonly proof: oauth.ClientAuth
}

const isInvalidGrant = { name: 'ResponseBodyError', error: 'invalid_grant', status: 400 }

export function testOauthClient(started: () => ConnectSite): void {
  let site: ConnectSite
  let server: oauth.AuthorizationServer
  let person: Person
  before(async () => {
    site = started()
    const issuer = new URL(site.baseUrl)
    const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    server = await oauth.processDiscoveryResponse(issuer, found)
    person = await site.signIn()
  })

  /** The app sends the person, who allows it, and takes its tokens. */
  async function connect({ client, proof }: App, redirectUri = REDIRECT, resource = site.baseUrl) {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: 'patients:read appointments:read',
      state,
      resource,
    }).toString()
    // It checks `iss`, because the document says that it comes.
    const back = oauth.validateAuthResponse(server, client, await person.allow(address), state)
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(server, client, proof, back, redirectUri, verifier, insecure)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange())
    return { tokens, exchange }
  }

  async function renewed({ client, proof }: App, refresh_token = '') {
    const answer = await oauth.refreshTokenGrantRequest(server, client, proof, refresh_token, insecure)
    return oauth.processRefreshTokenResponse(server, client, answer)
  }

  /** Registered by the operator. */
  async function registered(...argv: string[]): Promise<oauth.Client & { client_secret: string }> {
    return JSON.parse(await site.apps('create', '--name', 'CRM', '--redirect', REDIRECT, '--json', ...argv))
  }

  test('the documents of both resources and of the server are what the standards say', async () => {
    for (const path of ['', '/mcp']) {
      const resource = new URL(`${site.baseUrl}${path}`)
      const answer = await oauth.resourceDiscoveryRequest(resource, insecure)
      const { authorization_servers } = await oauth.processResourceDiscoveryResponse(resource, answer)
      assert.deepEqual(authorization_servers, [site.baseUrl])
    }
    assert.equal(server.authorization_response_iss_parameter_supported, true)
    assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
  })

  test('an app with a secret is connected, renews, reads patients, and is refused after it has revoked', async () => {
    const tryWith = async ({ client_id, proof }: { client_id: string; proof: oauth.ClientAuth }) => {
      const app = { client: { client_id }, proof }
      const { tokens } = await connect(app)
      assert.equal(tokens.scope?.split(' ').sort().join(' '), 'appointments:read patients:read')
      assert.equal(await site.statusWith(tokens.access_token), 200)
      const next = await renewed(app, tokens.refresh_token)
      assert.equal(await site.statusWith(next.access_token), 200)
      const revoked = await oauth.revocationRequest(server, app.client, proof, next.refresh_token ?? '', insecure)
      await oauth.processRevocationResponse(revoked)
      assert.deepEqual(
        await Promise.all([tokens, next].map(({ access_token }) => site.statusWith(access_token))),
        [401, 401],
      )
      await assert.rejects(renewed(app, next.refresh_token), isInvalidGrant)
    }
    const { client_id, client_secret } = await registered('--confidential')
    // Another app: a website keeps one connection of a person.
    const other = await registered('--confidential')
    // At once, because a revocation waits for a second.
    await Promise.all([
      tryWith({ client_id, proof: oauth.ClientSecretBasic(client_secret) }),
      tryWith({ client_id: other.client_id, proof: oauth.ClientSecretPost(other.client_secret) }),
    ])
    const wrong = { client: { client_id }, proof: oauth.ClientSecretBasic(`${client_secret}x`) }
    await assert.rejects(connect(wrong), { name: 'WWWAuthenticateChallengeError', status: 401 })
  })

  for (const algorithm of ['ES256', 'RS256', 'PS256', 'Ed25519']) {
    test(`an app that signs by ${algorithm} is connected, and renews`, async () => {
      const { publicKey, privateKey } = await oauth.generateKeyPair(algorithm)
      const { ext, key_ops, ...key } = await crypto.subtle.exportKey('jwk', publicKey)
      const file = join(await mkdtemp(join(tmpdir(), 'jwks-')), 'keys.json')
      await writeFile(file, JSON.stringify({ keys: [{ ...key, kid: 'k1' }] }))
      const client = { client_id: (await registered('--jwks', file)).client_id }
      await rm(dirname(file), { recursive: true })
      const app = { client, proof: oauth.PrivateKeyJwt({ key: privateKey, kid: 'k1' }) }
      const { tokens } = await connect(app)
      assert.equal(await site.statusWith((await renewed(app, tokens.refresh_token)).access_token), 200)
      const other = await oauth.generateKeyPair(algorithm)
      const thief = { client, proof: oauth.PrivateKeyJwt({ key: other.privateKey, kid: 'k1' }) }
      await assert.rejects(renewed(thief, tokens.refresh_token), { error: 'invalid_client' })
      assert.equal(await site.statusWith(tokens.access_token), 200)
    })
  }

  test('an app registers itself, and a code that comes back ends its connection', async () => {
    const redirect = 'http://127.0.0.1:9/callback'
    const metadata = { client_name: 'Editor', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }
    const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure)
    const client = await oauth.processDynamicClientRegistrationResponse(answer)
    const { registration_client_uri, registration_access_token } = client
    const headers = { authorization: `Bearer ${registration_access_token}` }
    const read = await fetch(String(registration_client_uri), { headers })
    assert.deepEqual(await read.json(), client)
    const app = { client, proof: oauth.None() }
    const { tokens, exchange } = await connect(app, redirect)
    assert.equal(await site.statusWith(tokens.access_token), 200)
    await assert.rejects(async () => {
      await oauth.processAuthorizationCodeResponse(server, client, await exchange())
    }, isInvalidGrant)
    assert.equal(await site.statusWith(tokens.access_token), 401)
    await assert.rejects(renewed(app, tokens.refresh_token), isInvalidGrant)
  })

  test('a device waits for its person, and is connected', async () => {
    const { client_id } = await registered()
    const app = { client: { client_id }, proof: oauth.None() }
    const asked = await oauth.deviceAuthorizationRequest(
      server,
      app.client,
      app.proof,
      { scope: 'patients:read' },
      insecure,
    )
    const { device_code, user_code } = await oauth.processDeviceAuthorizationResponse(server, app.client, asked)
    const poll = async () => {
      const answer = await oauth.deviceCodeGrantRequest(server, app.client, app.proof, device_code, insecure)
      return oauth.processDeviceCodeResponse(server, app.client, answer)
    }
    await assert.rejects(poll(), { error: 'authorization_pending' })
    await person.ask('POST', '/device/allow', { user_code, scopes: ['patients:read'], days: 30 })
    const { access_token } = await poll()
    assert.equal(await site.statusWith(access_token), 200)
  })
}
