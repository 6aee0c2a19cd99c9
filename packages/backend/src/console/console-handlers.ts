// What each operation of the console does for a signed-in administrator.

import type { clinicOperations } from '@clinic-data/contract/console/clinic-operations'
import { ACTIVITY_PAGE } from '@clinic-data/contract/console/console-activity'
import type { consoleOperations } from '@clinic-data/contract/console/console-operations'
import type { ConsoleSession } from '@clinic-data/contract/console/console-resources'
import type { webhookOperations } from '@clinic-data/contract/console/webhook-operations'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { Transaction } from '@clinic-data/database'
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
import { sentDelivery, watchDeliveries, webhookHealth } from './console-webhooks.ts'
import { findPatients } from './find-patients.ts'
import type { OwnAddress } from './own-address.ts'
import { addPasskey, challengeToAdd, listPasskeys, removePasskey } from './passkeys.ts'
import { type ActiveSession, endSessions, IDLE_MS, isFresh } from './sessions.ts'
import { setPassword } from './set-password.ts'
import { readUsage } from './usage.ts'

type Operations = typeof consoleOperations
export type SessionOperation = Exclude<
  keyof Operations,
  'signIn' | 'lookAtLink' | 'signInByLink' | 'signInByPasskey' | 'passkeySignInChallenge' | 'signInWays' | 'beginOpenId'
>

export interface Asked<Name extends SessionOperation> {
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
}

type OutputOf<Name extends SessionOperation> = Operations[Name]['output'] extends TSchema
  ? Static<Operations[Name]['output']>
  : null

export type ConsoleHandlers = {
  [Name in SessionOperation]: (asked: Asked<Name>) => Promise<Answer<OutputOf<Name>>>
}

export function consoleHandlers(parts: ConsoleParts): ConsoleHandlers {
  const { owner, wait, signInKeys: keys } = parts
  return {
    session: async ({ session }) => ({ output: { data: shownSession(parts, session) } }),
    signOut: async ({ session, body, record }) => {
      await endSessions(owner, session, body.everywhere ?? false, (tx) => record(tx, []))
      return { output: null, isEnd: true }
    },
    setPassword: async ({ session, body, now, record }) => {
      const { password, current_password } = body
      await setPassword(owner, session, { password, current_password, now, beside: (tx) => record(tx, []) })
      return { output: null }
    },
    listKeys: async ({ session, now }) => ({ output: { data: await listConsoleKeys(owner, session, now) } }),
    mintKey: async ({ session, body, idempotencyKey: mint_request, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      const minted = await mintConsoleKey(owner, session, body, { mint_request, now, beside })
      return { output: { data: minted } }
    },
    revokeKey: async ({ session, params, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      const revoked = await revokeConsoleKey(owner, session, { id: params.id ?? '', now, wait, beside })
      return { output: { data: revoked } }
    },
    listPasskeys: async ({ session, now }) => {
      return { output: { data: await listPasskeys(owner, session), may_add: isFresh(session, now) } }
    },
    passkeyChallenge: async ({ session, now }) => ({ output: { data: challengeToAdd(keys, session, now) } }),
    addPasskey: async ({ session, body, address, now, record }) => {
      const beside = (tx: Transaction, id: string) => record(tx, [id])
      return { output: { data: await addPasskey(owner, session, body, { keys, address, now, beside }) } }
    },
    removePasskey: async ({ session, params, record }) => {
      await removePasskey(owner, session, { id: params.id ?? '', beside: (tx, id) => record(tx, [id]) })
      return { output: null }
    },
    listActivity: async ({ session: { clinic }, query, now }) => {
      const { limit = ACTIVITY_PAGE.default } = query
      return { output: await listActivity(owner, clinic, { ...query, limit }, now) }
    },
    findPatients: async ({ session, query: { words }, record }) => ({
      output: { data: await findPatients(owner, session, words, (tx, ids) => record(tx, ids, ids)) },
    }),
    listActors: async ({ session }) => ({ output: { data: await listActors(owner, session.clinic) } }),
    usage: async ({ session: { clinic }, query, now }) => {
      const { period = 'day', key_id } = query
      return { output: { data: await readUsage(parts, clinic, { period, key_id }, now) } }
    },
    ...webhookHandlers(parts),
    ...clinicHandlers(parts),
  }
}

function webhookHandlers({ owner, webhookKeys }: ConsoleParts): Pick<ConsoleHandlers, keyof typeof webhookOperations> {
  return {
    webhookHealth: async ({ session, now }) => ({ output: { data: await webhookHealth(owner, session, now) } }),
    watchDeliveries: async ({ session, params, query, now }) => {
      return { output: await watchDeliveries(owner, session, params.id ?? '', { ...query, now }) }
    },
    sentDelivery: async ({ session, params, now, record }) => {
      const ids = { id: params.id ?? '', delivery_id: params.delivery_id ?? '' }
      return { output: { data: await sentDelivery(owner, session, ids, { webhookKeys, now, beside: record }) } }
    },
  }
}

function clinicHandlers(parts: ConsoleParts): Pick<ConsoleHandlers, keyof typeof clinicOperations> {
  const { owner } = parts
  return {
    clinicSettings: async ({ session }) => ({ output: { data: clinicSettings(parts, session) } }),
    workingHours: async ({ session }) => ({ output: { data: await readWorkingHours(owner, session) } }),
    listTokens: async ({ session }) => ({ output: { data: await listConsoleTokens(owner, session) } }),
    mintToken: async ({ session, body, idempotencyKey: mint_request, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      const minted = await mintConsoleToken(owner, session, body.name, { mint_request, now, beside })
      return { output: { data: minted } }
    },
    revokeToken: async ({ session, params, now, record }) => {
      const beside: BesideKey = (tx, id) => record(tx, [id])
      return { output: { data: await revokeConsoleToken(owner, session, { id: params.id ?? '', now, beside }) } }
    },
    actInDemo: async ({ session, body: { action }, record }) => {
      await actInDemo(parts, session, { action, beside: (tx) => record(tx, []) })
      return { output: null }
    },
    watchDemo: async ({ session }) => ({ output: { data: await watchDemo(parts, session) } }),
  }
}

/** A session as its browser sees it: without its token. */
export function shownSession({ baseUrl }: ConsoleParts, session: ActiveSession): ConsoleSession {
  const { administrator, clinic, by_link, expiresAt } = session
  return {
    administrator,
    clinic: { ...clinic, week_start: WEEK_STARTS[clinic.week_start] },
    api_url: baseUrl,
    by_link,
    expires_at: zonedInstant(expiresAt, clinic.time_zone, 3),
    idle_seconds: IDLE_MS / 1000,
  }
}

const WEEK_STARTS = ['sunday', 'monday'] as const
