// An app's call of a token endpoint: the service's parts, the app that proved to be itself, and its address.
import { auditWithin } from '@clinic-data/audit/audit'
import type { Transaction } from '@clinic-data/database'
import type { App } from '../apps/app.ts'
import type { ConnectParts } from '../connect-parts.ts'
import { OAuthError } from '../oauth-error.ts'
import type { LockedConnection } from './connection-state.ts'

export interface AppCall {
  readonly parts: Pick<ConnectParts, 'database' | 'baseUrl' | 'now' | 'log' | 'wait'>
  readonly app: Pick<App, 'id'>
  readonly request_id: string
  readonly address: string
}

type AppOperation = 'connect.token' | 'connect.refresh' | 'connect.revoke' | 'connect.reused' | 'connect.elsewhere'

/** The others are 200. */
const STATUS: Partial<Record<AppOperation, number>> = { 'connect.reused': 400, 'connect.elsewhere': 403 }

/** Stores the row with the change. Call it last in the transaction. */
export function auditCall(
  tx: Transaction,
  { clinic_id, id }: Pick<LockedConnection, 'clinic_id' | 'id'>,
  operation: AppOperation,
  { parts, request_id, address }: AppCall,
  others: readonly string[] = [],
): void {
  const status = STATUS[operation] ?? 200
  const named = { resource_ids: [id, ...others], patient_ids: [], count: 1 + others.length }
  const at = parts.now().toISOString()
  auditWithin(tx, { clinic_id, at, key_id: id, operation, surface: 'console', status, request_id, address, ...named })
}

/** Nothing was used up. It names none of the addresses that the clinic allows. */
export function notFromThere(address: string): OAuthError {
  const detail = `The tokens of this connection may not be taken from ${address}: its clinic allows other addresses alone.`
  return new OAuthError('access_denied', detail, 403)
}

/** Nothing was used up. Who stopped it can undo that, and the tokens are good again. Only who holds a good one learns of it. */
export function stoppedForNow(): OAuthError {
  const detail =
    'The clinic has stopped this connection. Keep its tokens: they are good again when the clinic lets it go on.'
  return new OAuthError('access_denied', detail, 403)
}

/** One text for every other cause: nobody learns which codes and tokens there are. */
export function invalidGrant(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code or token is unknown, expired, used, or of another app, or its connection has ended. Ask the person to connect the app again.',
  )
}
