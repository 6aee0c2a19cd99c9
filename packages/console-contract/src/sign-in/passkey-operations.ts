// The passkeys of an administrator (WebAuthn): signing in with one, listing, adding and removing them. Texts of a browser's answer are
// base64url, as `PublicKeyCredential.toJSON()` writes them.
import { MAX } from '@clinic-data/contract/limits'
import {
  about,
  GivenName,
  Id,
  Instant,
  list,
  nullable,
  object,
  type Static,
  strictObject,
  text,
  whole,
} from '@clinic-data/contract/schema'
import { consoleOperation } from '../console-operation.ts'
import { ConsoleSession } from '../console-resources.ts'

export const PASSKEYS = {
  /** One administrator has at most so many: a few devices, and some that are lost. */
  most: 10,
  /** A challenge is answered within so many seconds: a person finds a phone or a security key by then. */
  challenge_seconds: 300,
  /** ES256, EdDSA, RS256, by their numbers in COSE: all devices have one of them. */
  algorithms: [-7, -8, -257],
  /** The longest credential id that browsers give has 1,023 bytes. */
  credential_id: 1_400,
} as const

/** The names in a credential's key and in its attestation make some kilobytes. */
const Part = text(16_000, { minLength: 1 })
const CredentialId = text(PASSKEYS.credential_id, { minLength: 1 })

export const ConsolePasskey = object({
  id: Id,
  name: text(MAX.name),
  credential_id: CredentialId,
  created_at: Instant,
  last_used_at: nullable(Instant),
})

export type ConsolePasskey = Static<typeof ConsolePasskey>

const challenge = {
  challenge: about('Base64url. It is answered once.', text(MAX.external_id)),
  seconds: about('So long it may be answered.', whole(1, MAX.seconds)),
}

export const Challenge = object(challenge)

/** The answer that a passkey signed. */
export const SignedAnswer = strictObject({
  credential_id: CredentialId,
  user_handle: text(MAX.external_id, { minLength: 1 }),
  client_data: Part,
  authenticator_data: Part,
  signature: Part,
})

export const passkeyOperations = {
  /** Begins a sign-in by a passkey. Sets a cookie that binds the challenge to the browser. */
  passkeySignInChallenge: consoleOperation({
    id: 'console.passkey_challenge',
    method: 'POST',
    path: '/console/api/sign-in/passkey/challenge',
    access: 'anyone',
    output: object({ data: Challenge }),
  }),
  /** 401 with one text for every cause. */
  signInByPasskey: consoleOperation({
    id: 'console.sign_in_by_passkey',
    method: 'POST',
    path: '/console/api/sign-in/passkey',
    access: 'anyone',
    audited: 'console.sign_in.passkey',
    body: SignedAnswer,
    output: object({ data: ConsoleSession }),
  }),
  listPasskeys: consoleOperation({
    id: 'console.passkeys.list',
    method: 'GET',
    path: '/console/api/passkeys',
    output: object({ data: list(ConsolePasskey, PASSKEYS.most) }),
  }),
  /** Begins adding a passkey. */
  passkeyChallenge: consoleOperation({
    id: 'console.passkeys.challenge',
    method: 'POST',
    path: '/console/api/passkeys/challenge',
    output: object({
      data: object({
        ...challenge,
        user_handle: about('What the passkey tells of its owner.', text(MAX.external_id)),
      }),
    }),
  }),
  /** 409 for a known passkey or one too many, 422 for an answer to another challenge or another address. */
  addPasskey: consoleOperation({
    id: 'console.passkeys.add',
    method: 'POST',
    path: '/console/api/passkeys',
    audited: 'console.passkeys.add',
    body: strictObject({ name: GivenName, credential_id: CredentialId, client_data: Part, attestation: Part }),
    output: object({ data: ConsolePasskey }),
    status: 201,
  }),
  /** An unknown id, or another administrator's, is 404. */
  removePasskey: consoleOperation({
    id: 'console.passkeys.remove',
    method: 'POST',
    path: '/console/api/passkeys/{id}/remove',
    audited: 'console.passkeys.remove',
  }),
} as const
