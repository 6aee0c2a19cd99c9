// The rows of apps that registered themselves: a bounded number, because anybody may add one. Those that nobody has connected
// go again.
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
import { boundsOf } from '@clinic-data/contract/address-block'
import { type Database, type Statement, sql } from '@clinic-data/database'
import { OAuthError } from '../oauth-error.ts'
import type { AppMetadata } from './app-metadata.ts'

/** Rows of some hundred bytes. A large installation has some hundred apps. */
const MOST_SELF_REGISTERED = 10_000
/** Those of one block of addresses that nobody has connected: a service registers one for each of its users, who connects it within minutes. */
const MOST_OF_BLOCK = 200
const HOUR_MS = 60 * 60_000
/** A person who has looked at an app may be at the page still, for a day, and then wait for another person's approval. */
const LOOKED_MS = (24 + APPROVALS.hours_to_decide + APPROVALS.hours_to_use) * HOUR_MS
/** Who registers an app connects it within minutes. */
const UNUSED_MS = 7 * 24 * HOUR_MS
/** The time of the last use is for people, who look at days. */
const NOTED_EACH_MS = HOUR_MS

export interface SelfRegistered extends AppMetadata {
  readonly id: string
  readonly name: string
  readonly secret_hash: string | null
  /** The hash of the token by which the app reads its registration. */
  readonly registration_hash: string
  readonly token_endpoint_auth_method: string
  readonly scope: string
  readonly address: string
  readonly now: Date
}

const MOST = { all: MOST_SELF_REGISTERED, ofBlock: MOST_OF_BLOCK }

/** @throws OAuthError `temporarily_unavailable` when there is no room beside apps that are in use. */
export async function insertSelfRegistered(
  database: Pick<Database, 'query'>,
  { id, name, redirect_uris, authentication, secret_hash, keys, address, now, ...registration }: SelfRegistered,
  most = MOST,
): Promise<void> {
  const { registration_hash, token_endpoint_auth_method, scope } = registration
  const jwks = keys === null ? null : JSON.stringify(keys)
  const blocks = boundsOf(address, most.ofBlock)
  // Two at once remove two: each leaves the rows that the other has locked. An array is chosen once, where a join would choose again.
  for (const { block, most: ofBlock } of blocks) {
    const ofIt = sql`${givesWay(now)} and sent_from @> array[${block}::text]`
    await database.query(sql`delete from app where id = any(array(
      select id from app where ${ofIt} order by created_at, id
      limit (select greatest(0, count(*) - ${ofBlock - 1}::integer) from app where ${ofIt}) for update skip locked))
      and ${givesWay(now)}`)
  }
  // The rows of before this statement are counted. Two at once may leave one row too many, which the next one removes.
  const { rowCount } = await database.query(sql`
    with counted as (select count(*)::integer as number from app where kind = 'self_registered'),
    removed as (
      delete from app where id = any(array(
        select id from app where ${givesWay(now)}
        order by created_at, id limit (select greatest(0, number - ${most.all}::integer + 1) from counted)
        for update skip locked)) and ${givesWay(now)}
      returning id)
    insert into app (id, kind, name, redirect_uris, authentication, secret_hash, jwks, created_at, sent_from,
      registration_hash, token_endpoint_auth_method, scope)
    select ${id}, 'self_registered', ${name}, ${redirect_uris}::text[], ${authentication}, ${secret_hash}, ${jwks}::jsonb,
      ${now}::timestamptz, ${blocks.map(({ block }) => block)}::text[],
      ${registration_hash}, ${token_endpoint_auth_method}, ${scope}
    where (select number from counted) - (select count(*) from removed) < ${most.all}::integer`)
  if (rowCount === 0)
    throw new OAuthError('temporarily_unavailable', 'As many apps as may are registered: ask the operator.', 503)
}

/** Nobody has connected it, and nobody is about to. */
function givesWay(now: Date): Statement {
  return sql`kind = 'self_registered' and last_used_at is null
    and (looked_at is null or looked_at < ${new Date(now.getTime() - LOOKED_MS)})`
}

/** Notes that a signed-in person is asked about an app: it is not removed for a newer one. */
export function appLook(id: string, now: Date): Statement {
  return sql`update app set looked_at = ${now} where id = ${id}`
}

/** Notes that an app took tokens: it is not removed as unused. */
export function appUse(id: string, now: Date): Statement {
  return sql`update app set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at < ${new Date(now.getTime() - NOTED_EACH_MS)})`
}

/** Removes apps that registered themselves a week ago and have never taken a token. @returns their number. */
export async function removeUnusedApps(database: Pick<Database, 'query'>, now: Date): Promise<number> {
  const { rowCount } = await database.query(sql`delete from app
    where ${givesWay(now)} and created_at < ${new Date(now.getTime() - UNUSED_MS)}`)
  return rowCount
}
