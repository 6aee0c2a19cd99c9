// Apps of a test: opened on a real database with a clock of their own, and rows that are removed with the file's database.
import { randomBytes } from 'node:crypto'
import { hashKey } from '@clinic-data/contract/key'
import { type Database, sql } from '@clinic-data/database'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { TestClock } from '@clinic-data/testing/test-clock'
import type { DocumentClientOptions } from '@clinic-data/webhooks/receiver/document-client'
import type { AppCaller } from '../src/apps/client-authentication.ts'
import { openApps } from '../src/apps/open-apps.ts'
import type { AppPolicy } from '../src/connect-parts.ts'

export const BASE_URL = 'https://api.example.com'

export const STRANGER: AppCaller = {
  address: '192.0.2.7',
  clinicOf: async () => null,
  signal: new AbortController().signal,
}

export interface StoredApp {
  readonly id: string
  readonly kind: 'registered' | 'self_registered' | 'document'
  readonly authentication: 'none' | 'client_secret' | 'private_key_jwt'
  readonly secret: string | null
  readonly jwks: unknown
  readonly created_at: Date
  readonly disabled_at: Date | null
}

/** Stores an app as the operator's command or an endpoint would have. */
export async function storeApp(owner: Database, about: Partial<StoredApp> = {}): Promise<string> {
  const { id = `app_${randomBytes(8).toString('hex')}`, kind = 'registered', authentication = 'none' } = about
  const { secret = null, jwks = null, created_at = new Date(0), disabled_at = null } = about
  await owner.query(sql`insert into app (id, kind, name, redirect_uris, authentication, secret_hash, jwks, created_at, disabled_at)
    values (${id}, ${kind}, ${'Test CRM'}, ${['https://crm.example.com/back']}, ${authentication},
      ${secret === null ? null : hashKey(secret)}, ${jwks === null ? null : JSON.stringify(jwks)}::jsonb, ${created_at}, ${disabled_at})`)
  return id
}

export function openedApps(owner: Database, policy: AppPolicy = 'any', reading: DocumentClientOptions = {}) {
  const clock = new TestClock()
  const told: Record<string, unknown>[] = []
  const log = { ...failingLog, warn: (fields: Record<string, unknown>) => void told.push(fields) }
  const opened = openApps({ database: owner, policy, baseUrl: BASE_URL, now: () => clock.now(), log }, reading)
  const apps = { find: (id: string) => opened.apps.find(id, 'a-clinic') }
  const authentication = {
    authenticate: (form: Record<string, string>, authorization: string | null, caller: AppCaller = STRANGER) =>
      opened.authentication.authenticate(form, authorization, caller),
  }
  return { clock, told, apps, authentication }
}
