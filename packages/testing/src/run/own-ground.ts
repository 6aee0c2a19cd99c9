// A separate database for a test file whose engines scan all clinics: it holds no other file's deliveries.
import { randomBytes } from 'node:crypto'
import { after, beforeEach } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { APP_ROLE, CONSOLE_ROLE } from '@clinic-data/database/schema/application-login'
import type { DistributedTable } from '@clinic-data/database/schema/distribute-tables'
import { type Migration, migrate } from '@clinic-data/database/schema/migrate'
import * as engineSchema from '@clinic-data/webhooks/migrations'
import { sealSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'
import type { EngineGround, Ground } from '../grounds/ground.ts'
import { lend } from '../shared/lent.ts'
import { asApplication } from './application.ts'
import { createDatabase } from './templates.ts'

export interface OwnGround extends EngineGround {
  readonly url: string
}

interface Schema {
  readonly migrations: readonly Migration[]
  readonly tables: readonly DistributedTable[]
}

/** Dropped after the file's tests. By default it holds only the clinics and the engine's tables. */
export async function ownGround({ migrations, tables }: Schema = engineSchema): Promise<OwnGround> {
  const configured = process.env.TEST_DATABASE_URL
  if (!configured) throw new Error('run the tests with npm test: it starts the database')
  const name = `webhooks_${randomBytes(6).toString('hex')}`
  const server = await openDatabase({ url: configured, statementTimeoutMs: 0, writeConnections: 1 })
  const nodes = await workersOf(server)
  const [url, ...others] = [new URL(configured), ...nodes.map((node) => at(configured, node))].map((machine) =>
    inside(machine, name),
  )
  if (url === undefined) throw new Error('there is no server')
  let isMigrated = true
  for (const machine of [url, ...others]) {
    const isCopy = await makeDatabase(machine, name, migrations, nodes.length > 0)
    isMigrated &&= isCopy
  }
  const owner = await openDatabase({ url: url.href, statementTimeoutMs: 0, writeConnections: 2 })
  try {
    if (nodes.length > 0) await inTurn(server, () => joinCluster(owner, new URL(configured), nodes))
    if (!isMigrated) await migrate(owner, migrations, { tables, log: () => undefined })
  } catch (error) {
    // A connection that is open would keep the file from ending, and its fault from being told.
    await owner.close()
    await server.close()
    throw error
  }
  const app = await openDatabase(asApplication(url.href))
  // Each test has its own clock, so earlier tests' rows may be due or have times in the future.
  beforeEach(async () => {
    await owner.query(sql`delete from delivery where status = 'pending'`)
    await owner.query(sql`update lane set last_success_at = null, failing_since = null, first_gone_at = null,
      last_gone_at = null, opened_at = null, probe_at = null, recovered_at = null`)
  })
  const giveBack = lend('a database of its own')
  const opened = new AsyncDisposableStack()
  after(async () => {
    await opened.disposeAsync()
    await app.close()
    await owner.close()
    for (const machine of [url, ...others]) await dropDatabase(machine, name)
    await server.close()
    giveBack()
  })
  return { url: url.href, owner, app, opened }
}

interface Node {
  nodename: string
  nodeport: number
}

/** The machines of a cluster beside the coordinator. Empty for plain PostgreSQL. */
async function workersOf(server: Database): Promise<Node[]> {
  const { rows } = await server.query(sql`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return []
  return (await server.query<Node>(sql`select nodename, nodeport from pg_dist_node where groupid > 0`)).rows
}

function at(address: string, { nodename, nodeport }: Node): URL {
  const url = new URL(address)
  url.host = `${nodename}:${nodeport}`
  return url
}

function inside(machine: URL, name: string): URL {
  const url = new URL(machine)
  url.pathname = `/${name}`
  return url
}

/** A database for maintenance that every server has. */
function besides(machine: URL): string {
  return inside(machine, 'postgres').href
}

async function makeDatabase(
  machine: URL,
  name: string,
  migrations: readonly Migration[],
  isClustered: boolean,
): Promise<boolean> {
  const server = await openDatabase({ url: besides(machine), statementTimeoutMs: 0, writeConnections: 1 })
  const isCopy = await createDatabase(server, name, migrations)
  await server.close()
  if (!isClustered) return isCopy
  const made = await openDatabase({ url: machine.href, statementTimeoutMs: 0, writeConnections: 1 })
  await made.query(sql`create extension citus`)
  await made.close()
  return isCopy
}

/** An arbitrary number, the same for all files of a run. */
const JOIN_LOCK = 7_251_964_311

/** Files' databases join one after another: a join alters the roles of the machines, and two at once alter the same rows. */
function inTurn(server: Database, join: () => Promise<void>): Promise<void> {
  return server.maintain(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${JOIN_LOCK})`)
    await join()
  })
}

async function joinCluster(owner: Database, coordinator: URL, nodes: readonly Node[]): Promise<void> {
  await owner.query(sql`select citus_set_coordinator_host(${coordinator.hostname}, ${Number(coordinator.port)}::int)`)
  for (const { nodename, nodeport } of nodes) {
    await owner.query(sql`select citus_add_node(${nodename}, ${nodeport}::int)`)
  }
  // With its first grant in a database a role is altered on each machine: here, and not while tables are made.
  for (const role of [APP_ROLE, CONSOLE_ROLE])
    await owner.query(sql`grant usage on schema public to ${sql.identifier(role)}`)
}

async function dropDatabase(machine: URL, name: string): Promise<void> {
  const server = await openDatabase({ url: besides(machine), statementTimeoutMs: 0, writeConnections: 1 })
  await server.query(sql`drop database ${sql.identifier(name)} with (force)`)
  await server.close()
}

/** `SECRET_KEYS` of an installation of its own. */
export const secretKeysText = `t:${randomBytes(32).toString('base64')}`
export const keys = signingKeys(parseSecretKeys(secretKeysText), 'webhook-secret')

/** A subscription to everything, with a secret that can be opened. @returns the secret. */
export async function subscribeSigned(
  { owner }: Pick<Ground, 'owner'>,
  { clinic_id }: Pick<Clinic, 'clinic_id'>,
  id: string,
  url: string,
): Promise<string> {
  const secret = newWebhookSecret()
  const sealed = sealSecret(keys, { clinic_id, subscription_id: id }, secret)
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    values (${clinic_id}, ${id}, ${url}, '{}', ${sealed}, ${secret.slice(-4)}, now())`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id})`)
  return secret
}
