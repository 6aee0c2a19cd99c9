// Devices without a browser (RFC 8628): one asks for a code that a person types elsewhere, then asks again and again for its tokens.
import { randomInt } from 'node:crypto'
import type { Scope } from '@clinic-data/contract'
import { boundsOf } from '@clinic-data/contract/address-block'
import { consolePaths } from '@clinic-data/contract/app-request'
import type { Audience } from '@clinic-data/contract/grant'
import { hashKey, isWellFormedKey, makeKey } from '@clinic-data/contract/key'
import { instant, sql } from '@clinic-data/database'
import type { ConnectParts } from '../connect-parts.ts'
import { OAuthError } from '../oauth-error.ts'
import { type AppCall, invalidGrant } from './app-call.ts'
import { exchange } from './exchange.ts'
import { firstPair } from './exchange-code.ts'
import { DEVICE_INTERVAL_SECONDS, DEVICE_MS, later } from './lifetimes.ts'
import { isUsedLongAgo } from './refresh.ts'
import { isOver } from './stored-token.ts'
import type { TokenPair } from './token-pair.ts'

/** Consonants: no word comes about, and none looks like a digit (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
/**
 * Devices that wait at once, of all apps together, and those of one block of addresses. Anybody may ask, and each has a row. A block's own
 * oldest give way, and where there is no room at all, the oldest of everybody: an office has a few, and who shows a code is soon answered.
 */
const MOST_WAITING = { all: 10_000, ofBlock: 100 }
const REMOVED_AT_ONCE = 100
const KEPT_MS = 60 * 60 * 1000

export interface DeviceAnswer {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

export interface Device {
  readonly app_id: string
  readonly scopes: readonly Scope[]
  readonly audience: Audience | null
  readonly address: string
}

/** @param most for tests. @throws OAuthError when too many wait whose person is at the page. */
export async function startDevice(
  { database, consoleUrl, now: clock }: Pick<ConnectParts, 'database' | 'consoleUrl' | 'now'>,
  { app_id, scopes, audience, address }: Device,
  most = MOST_WAITING,
): Promise<DeviceAnswer> {
  const now = clock()
  const device_code = makeKey('odc_live_')
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  await database.query(sql`delete from device_request where device_hash in (
    select device_hash from device_request where expires_at < ${later(now, -KEPT_MS)}
    limit ${REMOVED_AT_ONCE} for update skip locked)`)
  // Nobody has answered it, and nobody is about to.
  const givesWay = sql`state = 'waiting' and looked_at is null and expires_at > ${now}`
  const blocks = boundsOf(address, most.ofBlock)
  // Two at once remove two: each leaves the rows that the other has locked. An array is chosen once, where a join would choose again.
  for (const { block, most: ofBlock } of blocks) {
    const ofIt = sql`${givesWay} and sent_from @> array[${block}::text]`
    await database.query(sql`delete from device_request where device_hash = any(array(
      select device_hash from device_request where ${ofIt} order by created_at, device_hash
      limit (select greatest(0, count(*) - ${ofBlock - 1}::integer) from device_request where ${ofIt})
      for update skip locked)) and ${givesWay}`)
  }
  // The rows of before this statement are counted. Two at once may leave one row too many, which the next one removes.
  const { rows } = await database.query(sql`
    with counted as (select count(*)::integer as number from device_request where expires_at > ${now}),
    removed as (
      delete from device_request where device_hash = any(array(
        select device_hash from device_request where ${givesWay}
        order by created_at, device_hash limit (select greatest(0, number - ${most.all}::integer + 1) from counted)
        for update skip locked)) and ${givesWay}
      returning device_hash)
    insert into device_request
      (device_hash, user_code, app_id, scopes, audience, created_at, expires_at, state, sent_from)
    select ${hashKey(device_code)}, ${letters}, ${app_id}, ${scopes}::text[], ${audience}, ${now}::timestamptz,
      ${later(now, DEVICE_MS)}::timestamptz, 'waiting', ${blocks.map(({ block }) => block)}::text[]
    where (select number from counted) - (select count(*) from removed) < ${most.all}::integer
    returning device_hash`)
  if (rows.length === 0)
    throw new OAuthError(
      'temporarily_unavailable',
      'Too many devices wait to be connected. Try again in some minutes.',
      503,
    )
  const user_code = `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`
  const verification_uri = consoleUrl + consolePaths.device
  return {
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in: DEVICE_MS / 1000,
    interval: DEVICE_INTERVAL_SECONDS,
  }
}

interface PolledRow {
  state: 'waiting' | 'allowed' | 'refused'
  expires_at: string
  is_early: boolean
}

/** @throws OAuthError `authorization_pending` until a person has answered. */
export async function pollDevice(call: AppCall, device_code: string): Promise<TokenPair> {
  if (!isWellFormedKey(device_code, 'odc_live_')) throw invalidGrant()
  const device_hash = hashKey(device_code)
  const now = call.parts.now()
  // The row as it was before: two at the same moment are in turn, and the second one is early.
  const { rows } = await call.parts.database.query<PolledRow>(sql`
    update device_request d set asked_at = ${now}
    from (select device_hash, asked_at from device_request
      where device_hash = ${device_hash} and app_id = ${call.app.id} for update) before
    where d.device_hash = before.device_hash
    returning d.state, d.expires_at,
      before.asked_at is not null and before.asked_at > ${later(now, -DEVICE_INTERVAL_SECONDS * 1000)} as is_early`)
  const [request] = rows
  if (request === undefined) throw invalidGrant()
  if (request.state === 'refused') throw new OAuthError('access_denied', 'The person refused.')
  // One that was allowed is answered at once: the person waits for it.
  if (request.state === 'allowed') return exchangeDevice(call, device_hash)
  if (new Date(instant(request.expires_at) ?? '') <= now)
    throw new OAuthError('expired_token', 'Nobody has typed the code in time. Ask for a new one.')
  if (request.is_early)
    throw new OAuthError(
      'slow_down',
      `Ask at most every ${DEVICE_INTERVAL_SECONDS} seconds, and 5 seconds more seldom from now on.`,
    )
  throw new OAuthError(
    'authorization_pending',
    `Nobody has answered yet. Ask again in ${DEVICE_INTERVAL_SECONDS} seconds.`,
  )
}

/** A device asks again when an answer was lost (RFC 8628, 3.5): so long as a used refresh token does, its code gets another pair. */
function exchangeDevice(call: AppCall, token_hash: string): Promise<TokenPair> {
  return exchange(call, {
    token_hash,
    kind: 'device',
    isReused: isUsedLongAgo,
    take: (tx, connection, stored, now) => {
      if (stored.usedAt === null && isOver(stored, now)) throw invalidGrant()
      return firstPair(tx, connection, { token_hash, call, now })
    },
  })
}

/** As a person types it: in any case, with or without the dash. @returns null for what is no code. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return letters.length === CODE_LENGTH && [...letters].every((one) => LETTERS.includes(one)) ? letters : null
}
