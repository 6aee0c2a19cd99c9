// The row of an integration: what a clinic has with one partner. Whoever gives it a key, a connection or a webhook, moves one, stops it or
// undoes that, does so in turn: Stop finds all that belongs to it.
import { Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { sql, type Transaction } from '@clinic-data/database'
import { namedAlike, storedName } from './same-name.ts'

/** The id of the one that is made for a key, a connection or a webhook. It follows from theirs, so two who make it make one. */
export function ownIntegration(id: string): string {
  return `int_${id}`
}

/** Waits for all who change what belongs to the clinic's integrations, until the transaction ends. */
export async function lockIntegrations(tx: Transaction, clinic_id: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${clinic_id} integrations`}, 0))`)
}

/** For which integration something is that is granted access. */
export interface IntegrationChoice {
  /** An existing one. */
  readonly integration_id?: string | null | undefined
  /** A new one of this name. Without both: the one with the member's name, which is made where there is none. */
  readonly integration_name?: string | undefined
}

export interface NewMember extends IntegrationChoice {
  readonly clinic_id: string
  readonly id: string
  readonly name: string
  /** The key's or the connection's `Idempotency-Key`: its unique index refuses what comes twice. */
  readonly mint_request?: string | null
  readonly now: Date
}

/**
 * Call it before the member's row is stored, in the same transaction.
 *
 * @returns the id of the member's integration.
 * @throws Problem 422 when there is none with the named id, or one with the new name already; 409 while it is stopped.
 */
export async function integrationFor(
  tx: Transaction,
  { clinic_id, id, name, integration_id = null, integration_name, mint_request = null, now }: NewMember,
): Promise<string> {
  await lockIntegrations(tx, clinic_id)
  if (integration_id === null) {
    const stored = { id: ownIntegration(id), name: storedName(integration_name ?? name, id), created_at: now }
    const [alike] = await namedAlike(tx, clinic_id, stored.name)
    if (alike === undefined) {
      await storeIntegrations(tx, clinic_id, [stored])
      return stored.id
    }
    const isNew = integration_name !== undefined
    if (isNew && !(await isRepeated(tx, clinic_id, mint_request))) throw taken('#/integration_name')
    if (alike.is_stopped) throw stoppedChoice()
    return alike.id
  }
  const { rows } = await tx.query<{ is_stopped: boolean }>(sql`select stopped_at is not null as is_stopped
    from integration where clinic_id = ${clinic_id} and id = ${integration_id}`)
  const [row] = rows
  if (row === undefined) {
    const detail = 'is no integration of this clinic'
    throw faultProblem('unprocessable', [{ pointer: '#/integration_id', code: 'unknown', detail }])
  }
  if (row.is_stopped) throw stoppedChoice()
  return integration_id
}

async function isRepeated(tx: Transaction, clinic_id: string, mint_request: string | null): Promise<boolean> {
  if (mint_request === null) return false
  const { rows } = await tx.query(
    sql`select id from api_key where clinic_id = ${clinic_id} and mint_request = ${mint_request}`,
  )
  return rows.length > 0
}

/** Call it behind `lockIntegrations`, with the name stored. @throws Problem 422 when another one has it. */
export async function requireOwnName(
  tx: Transaction,
  { clinic_id, id, name }: { clinic_id: string; id: string; name: string },
): Promise<void> {
  if ((await namedAlike(tx, clinic_id, name)).some((one) => one.id !== id)) throw taken('#/name')
}

function taken(pointer: string): Problem {
  const detail = 'is the name of another integration of this clinic: choose that one, or write another name'
  return faultProblem('unprocessable', [{ pointer, code: 'name_taken', detail }])
}

const STOPPED = 'The integration is stopped. Undo that first, or choose another one.'

export function stopped(): Problem {
  return new Problem('conflict', STOPPED)
}

/** It says which field, so that nobody takes it for a request that came twice. */
export function stoppedChoice(): Problem {
  const detail = 'is stopped: undo that first, or choose another one'
  return new Problem('conflict', STOPPED, { errors: [{ pointer: '#/integration_id', code: 'stopped', detail }] })
}

const OF_STOPPED =
  'The integration of this subscription is stopped. An administrator undoes that in the console: what Stop has paused goes on then, and what was paused before can be enabled.'

export function ofStopped(): Problem {
  return new Problem('conflict', OF_STOPPED)
}

/**
 * Call it behind `lockIntegrations`, so that no Stop comes in between.
 *
 * @throws Problem 409 while the subscription's integration is stopped.
 */
export async function requireGoingOn(tx: Transaction, clinic_id: string, subscription_id: string): Promise<void> {
  const { rows } = await tx.query(sql`select i.id from integration i join subscription s on s.integration_id = i.id
    where i.clinic_id = ${clinic_id} and s.clinic_id = ${clinic_id} and s.id = ${subscription_id} and i.stopped_at is not null`)
  if (rows.length > 0) throw ofStopped()
}

export interface StoredIntegration {
  readonly id: string
  readonly name: string
  /** As PostgreSQL prints it, or a Date. */
  readonly created_at: string | Date
}

/** One that is there already stays as it is. */
export async function storeIntegrations(
  tx: Transaction,
  clinic_id: string,
  made: readonly StoredIntegration[],
): Promise<void> {
  const rows = made.map(({ id, name, created_at }) => [clinic_id, id, storedName(name, id), created_at])
  for (const some of sql.chunkRows(rows)) {
    await tx.query(sql`insert into integration (clinic_id, id, name, created_at) values ${sql.values(some)}
      on conflict (clinic_id, id) do nothing`)
  }
}

/**
 * Removes those of these integrations that hold nothing, and of which nobody has written anything down. A stopped one stays: without it
 * nothing would refuse the partner's next key or app.
 */
export async function removeEmpty(tx: Transaction, clinic_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await tx.query<{ id: string }>(sql`
    select integration_id as id from api_key where clinic_id = ${clinic_id} and integration_id = any(${ids}::text[])
    union select integration_id from subscription where clinic_id = ${clinic_id} and integration_id = any(${ids}::text[])`)
  const held = new Set(rows.map(({ id }) => id))
  const empty = ids.filter((id) => !held.has(id))
  if (empty.length === 0) return
  await tx.query(sql`delete from integration
    where clinic_id = ${clinic_id} and id = any(${empty}::text[]) and contact is null and notes is null
      and stopped_at is null`)
}
