// Finds apps by their `client_id`: ours, those of the table, and those that a document describes. The operator's policy is asked each time,
// so that a disabled app, or one that is no longer allowed, is gone at once.
import { type Database, sql } from '@clinic-data/database'
import type { AppPolicy } from '../connect-parts.ts'
import type { JsonObject } from '../json-object.ts'
import type { App, AppAuthentication, KnownApp } from './app.ts'
import type { AppDocuments } from './app-document.ts'
import type { Reader } from './reader.ts'
import { appLook } from './self-registered.ts'

export interface AppsParts {
  /** The console's login, or the owner's. */
  readonly database: Pick<Database, 'query'>
  readonly policy: AppPolicy
  readonly now: () => Date
  readonly documents: Pick<AppDocuments, 'isDocumentId' | 'read'>
}

/** As the table takes it. */
const LONGEST_ID = 500
const ID = /^[!-~]+$/

/** The program of this product for a terminal. */
const SC: KnownApp = {
  app: {
    id: 'sc',
    kind: 'built_in',
    name: 'sc',
    host: null,
    isVerified: true,
    redirect_uris: ['http://127.0.0.1/callback'],
    authentication: 'none',
  },
  secret_hashes: [],
  keys: null,
}

export function isBuiltIn(id: string): boolean {
  return id === SC.app.id
}

interface AppRow {
  kind: 'registered' | 'self_registered' | 'document'
  name: string
  redirect_uris: string[]
  authentication: AppAuthentication
  secret_hash: string | null
  former_secret_hash: string | null
  is_former_good: boolean | null
  jwks: JsonObject | null
  is_disabled: boolean
}

export class Apps {
  readonly #parts: AppsParts

  constructor(parts: AppsParts) {
    this.#parts = parts
  }

  /**
   * Null for an unknown app, a disabled one, and one that the policy does not allow: nobody learns which.
   *
   * @param clinic_id of the signed-in person who is asked about the app.
   * @throws OAuthError that says why the document of an app cannot be used.
   */
  async find(id: string, clinic_id: string): Promise<App | null> {
    const found = (await this.findKnown(id, { clinic_id }))?.app ?? null
    if (found?.kind === 'self_registered') await this.#parts.database.query(appLook(id, this.#parts.now()))
    return found
  }

  /** The same, with what proves that an app is itself. For the endpoints that apps call. @throws OAuthError as `find` */
  async findKnown(id: string, reader: Reader): Promise<KnownApp | null> {
    if (id.length > LONGEST_ID || !ID.test(id)) return null
    if (isBuiltIn(id)) return SC
    const isDocument = this.#parts.documents.isDocumentId(id)
    if (isDocument && !this.#allowsHost(id)) return null
    const row = await this.#row(id)
    if (row?.is_disabled) return null
    if (isDocument) return this.#described(id, reader)
    return row === null || !this.#allows(row.kind) ? null : known(id, row)
  }

  async #described(id: string, reader: Reader): Promise<KnownApp> {
    const found = await this.#parts.documents.read(id, reader)
    // Whoever has named its host has looked at it.
    return { ...found, app: { ...found.app, isVerified: typeof this.#parts.policy !== 'string' } }
  }

  #allows(kind: AppRow['kind']): boolean {
    return kind === 'registered' || (kind === 'self_registered' && this.#parts.policy === 'any')
  }

  #allowsHost(id: string): boolean {
    const { policy } = this.#parts
    return typeof policy === 'string' ? policy === 'any' : policy.includes(new URL(id).hostname)
  }

  async #row(id: string): Promise<AppRow | null> {
    const { rows } = await this.#parts.database.query<AppRow>(sql`
      select kind, name, redirect_uris, authentication, secret_hash, former_secret_hash,
        former_secret_until > ${this.#parts.now()} as is_former_good, jwks, disabled_at is not null as is_disabled
      from app where id = ${id}`)
    return rows[0] ?? null
  }
}

function known(id: string, row: AppRow): KnownApp {
  const { kind, name, redirect_uris, authentication, jwks } = row
  const former = row.is_former_good === true ? row.former_secret_hash : null
  return {
    app: { id, kind, name, host: null, isVerified: kind === 'registered', redirect_uris, authentication },
    secret_hashes: [row.secret_hash, former].filter((hash) => hash !== null),
    keys: jwks,
  }
}
