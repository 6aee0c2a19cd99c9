// An app that can be connected to a clinic: an OAuth client.
import type { JsonObject } from '../json-object.ts'

/** Registered by the operator, or by itself (RFC 7591); known by the document at its id, an https address; or a part of this product: `sc`. */
export type AppKind = 'registered' | 'self_registered' | 'document' | 'built_in'

/** How it proves at the token endpoint that it is itself. A public one proves nothing, and has PKCE alone. */
export type AppAuthentication = 'none' | 'client_secret' | 'private_key_jwt'

export interface App {
  /** `client_id`. */
  readonly id: string
  readonly kind: AppKind
  readonly name: string
  /** The host of the document at its id. Null for the others. */
  readonly host: string | null
  /** The operator has registered it or named its host, or it is ours. */
  readonly isVerified: boolean
  /** Compared to the letter. One to a loopback address may have any port (RFC 8252, 7.3). */
  readonly redirect_uris: readonly string[]
  readonly authentication: AppAuthentication
}

/** An app with what proves that it is itself. */
export interface KnownApp {
  readonly app: App
  /** At a time one, or two for a day after a rotation. */
  readonly secret_hashes: readonly string[]
  /** Its public keys: a JWK set (RFC 7517), or the address of one. Null: it has none. */
  readonly keys: JsonObject | string | null
}
