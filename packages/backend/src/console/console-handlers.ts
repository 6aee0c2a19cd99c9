// What each operation of the console does for a signed-in administrator.

import type { clinicOperations } from '@clinic-data/contract/console/clinic-operations'
import { ACTIVITY_PAGE } from '@clinic-data/contract/console/console-activity'
import type { consoleOperations } from '@clinic-data/contract/console/console-operations'
import type { ConsoleSession } from '@clinic-data/contract/console/console-resources'
import { DELIVERIES_PAGE, type webhookOperations } from '@clinic-data/contract/console/webhook-operations'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { ClinicDatabase, Transaction } from '@clinic-data/database'
import type { BesideKey } from '../keys.ts'
import { listActivity } from './activity.ts'
import { listActors } from './actors.ts'
import {
  clinicSettings,
  listConsoleTokens,
  mintConsoleToken,
  readWorkingHours,
  revokeConsoleToken,
} from './console-clinic.ts'
import { actInDemo, watchDemo } from './console-demo.ts'
import { listConsoleKeys, mintConsoleKey, revokeConsoleKey } from './console-keys.ts'
import type { ConsoleParts } from './console-parts.ts'
import { sentDelivery, webhookHealth } from './console-webhooks.ts'
import { findPatients } from './find-patients.ts'
import { listDeliveries } from './list-deliveries.ts'
import { refuseBesideProvider } from './only-provider.ts'
import type { OwnAddress } from './own-address.ts'
import { addPasskey, challengeToAdd, listPasskeys, removePasskey } from './passkeys.ts'
import { type ActiveSession, endSessions, IDLE_MS, isFresh } from './sessions.ts'
import { needsNoPassword, setPassword } from './set-password.ts'
import { readUsage } from './usage.ts'

type Operations = typeof consoleOperations
export type SessionOperation = Exclude<
  keyof Operations,
  'signIn' | 'lookAtLink' | 'signInByLink' | 'signInByPasskey' | 'passkeySignInChallenge' | 'signInWays' | 'beginOpenId'
>

export interface Asked<Name extends SessionOperation> {
  /** Opened with the console's login. Its writes check the session again. */
  owner: ClinicDatabase
  session: ActiveSession
  body: Operations[Name]['body'] extends TSchema ? Static<Operations[Name]['body']> : null
  params: Readonly<Record<string, string>>
  query: Static<Operations[Name]['query']>
  idempotencyKey: string
  now: Date
  /** The address under which the browser sees the console. */
  address: OwnAddress | null
  /** Stores the audit row with the change. Every change calls it, last in its transaction. */
  record: (tx: Transaction, ids: readonly string[], patient_ids?: readonly string[]) => void
}

export interface Answer<Output> {
  /** Has the form of the operation's output. */
  output: Output
  /** The session of the request has ended. */
  isEnd?: boolean
  /** Other sessions of the administrator have ended. */
  endsOthers?: boolean
}

type OutputOf<Name extends SessionOperation> = Operations[Name]['output'] extends TSchema
  ? Static<Operations[Name]['output']>
  : null

export type ConsoleHandlers = {
  [Name in SessionOperation]: (asked: Asked<Name>) => Promise<Answer<OutputOf<Name>>>
}

/** The handlers have no database but the one of what they are asked. */
type HandlerParts = Omit<ConsoleParts, 'owner'>

export function consoleHandlers(parts: HandlerParts): ConsoleHandlers {
  const { wait, signInKeys: keys } = parts
  return {
    session: async ({ session, now }) => ({ output: { data: shownSession(parts, session, now) } }),
    signOut: async ({ owner, session, body, record }) => {
      await endSessions(owner, session, body.everywhere ?? false, (tx) => record(tx, []))
      return { output: null, isEnd: true }
    },
    setPassword: async ({ owner, session, body, now, record }) => {
      refuseBesideProvider(parts)
      const { password, current_password } = body
      await setPassword(owner, session, { password, current_password, now, beside: (tx) => record(tx, []) })
      return { output: null, endsOthers: true }
    },
    listKeys: async ({ owner, session, now }) => ({ output: { data: await listConsoleKeys(owner, session, now) } }),
    mintKey: async ({ owner, session, body, idempotencyKey: mint_request, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      const minted = await mintConsoleKey(owner, session, body, { mint_request, now, beside })
      return { output: { data: minted } }
    },
    revokeKey: async ({ owner, session, params, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      const revoked = await revokeConsoleKey(owner, session, { id: params.id ?? '', now, wait, beside })
      return { output: { data: revoked } }
    },
    listPasskeys: async ({ owner, session, now }) => {
      return { output: { data: await listPasskeys(owner, session), may_add: isFresh(session, now) } }
    },
    passkeyChallenge: async ({ session, now }) => {
      refuseBesideProvider(parts)
      return { output: { data: challengeToAdd(keys, session, now) } }
    },
    addPasskey: async ({ owner, session, body, address, now, record }) => {
      refuseBesideProvider(parts)
      const beside = (tx: Transaction, id: string) => record(tx, [id])
      return { output: { data: await addPasskey(owner, session, body, { keys, address, now, beside }) } }
    },
    removePasskey: async ({ owner, session, params, record }) => {
      await removePasskey(owner, session, { id: params.id ?? '', beside: (tx, id) => record(tx, [id]) })
      return { output: null }
    },
    listActivity: async ({ owner, session: { clinic }, query, now }) => {
      const { limit = ACTIVITY_PAGE.default } = query
      return { output: await listActivity(owner, clinic, { ...query, limit }, now) }
    },
    findPatients: async ({ owner, session, body: { words }, record }) => ({
      output: { data: await findPatients(owner, session, words, (tx, ids) => record(tx, ids, ids)) },
    }),
    listActors: async ({ owner, session }) => ({ output: { data: await listActors(owner, session.clinic) } }),
    usage: async ({ owner, session: { clinic }, query, now }) => {
      const { period = 'day', key_id } = query
      return { output: { data: await readUsage({ ...parts, owner }, clinic, { period, key_id }, now) } }
    },
    ...webhookHandlers(parts),
    ...clinicHandlers(parts),
  }
}

function webhookHandlers({ webhookKeys }: HandlerParts): Pick<ConsoleHandlers, keyof typeof webhookOperations> {
  return {
    webhookHealth: async ({ owner, session, now }) => ({ output: { data: await webhookHealth(owner, session, now) } }),
    listDeliveries: async ({ owner, session, params, query, now }) => {
      const { limit = DELIVERIES_PAGE.default } = query
      return { output: await listDeliveries(owner, session, params.id ?? '', { ...query, limit, now }) }
    },
    sentDelivery: async ({ owner, session, params, now, record }) => {
      const ids = { id: params.id ?? '', delivery_id: params.delivery_id ?? '' }
      return { output: { data: await sentDelivery(owner, session, ids, { webhookKeys, now, beside: record }) } }
    },
  }
}

function clinicHandlers(parts: HandlerParts): Pick<ConsoleHandlers, keyof typeof clinicOperations> {
  return {
    clinicSettings: async ({ session }) => ({ output: { data: clinicSettings(parts, session) } }),
    workingHours: async ({ owner, session }) => ({ output: { data: await readWorkingHours(owner, session) } }),
    listTokens: async ({ owner, session }) => ({ output: { data: await listConsoleTokens(owner, session) } }),
    mintToken: async ({ owner, session, body, idempotencyKey: mint_request, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      const minted = await mintConsoleToken(owner, session, body.name, { mint_request, now, beside })
      return { output: { data: minted } }
    },
    revokeToken: async ({ owner, session, params, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      return { output: { data: await revokeConsoleToken(owner, session, { id: params.id ?? '', now, beside }) } }
    },
    actInDemo: async ({ owner, session, body: { action }, record }) => {
      await actInDemo({ ...parts, owner }, session, { action, beside: (tx) => record(tx, []) })
      return { output: null }
    },
    watchDemo: async ({ owner, session }) => ({ output: { data: await watchDemo({ ...parts, owner }, session) } }),
  }
}

/** A session as its browser sees it: without its token. */
export function shownSession({ baseUrl }: HandlerParts, session: ActiveSession, now: Date): ConsoleSession {
  const { administrator, clinic, expiresAt } = session
  return {
    administrator,
    clinic: { ...clinic, week_start: WEEK_STARTS[clinic.week_start] },
    api_url: baseUrl,
    needs_no_password: needsNoPassword(session, now),
    expires_at: zonedInstant(expiresAt, clinic.time_zone, 3),
    idle_seconds: IDLE_MS / 1000,
  }
}

const WEEK_STARTS = ['sunday', 'monday'] as const
